// Barriers and phasers are used round by round: what comes before a meeting is
// over for all who come after it, and parts between different meetings never run
// at the same time.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;

public class Rounds {
	static final int N = 4;

	static class Relaxation {
		final int[] cells = new int[N];
		final int[] mixed = new int[N];
		final CyclicBarrier barrier = new CyclicBarrier(N);

		void work(int i) throws InterruptedException, BrokenBarrierException {
			for (int step = 0; step < 10; step++) {
				int left = cells[(i + N - 1) % N];
				int other = mixed[(i + N - 1) % N]; // want race "mixed"
				barrier.await();
				cells[i] = left + 1;
				barrier.await();
				mixed[i] = other + 1;
			}
		}
	}

	static class Uneven {
		int shared;
		final CyclicBarrier barrier = new CyclicBarrier(2);

		// Whoever skips a meeting is in another round than the rest.
		void work(int i) throws InterruptedException, BrokenBarrierException {
			for (int step = 0; step < 10; step++) {
				shared++; // want race "shared"
				barrier.await();
				if (i == step) {
					barrier.await();
				}
				System.out.println(shared);
				barrier.await();
			}
		}
	}

	static int config, result, early, late, outside;

	static void phases() {
		Phaser phaser = new Phaser(1);
		phaser.register();
		new Thread(() -> {
			early = 1; // want race "early"
			phaser.arriveAndAwaitAdvance();
			result = config;
			late = 1;
			phaser.arriveAndDeregister();
			late = 2; // want race "late"
		}).start();
		early = 2;
		config = 10;
		phaser.arriveAndAwaitAdvance();
		phaser.arriveAndAwaitAdvance();
		late = 3;
		System.out.println(result);
	}

	// The starter is not one of those who meet.
	static void watched() {
		Phaser phaser = new Phaser(2);
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				phaser.arriveAndAwaitAdvance();
				System.out.println(outside);
				phaser.arriveAndAwaitAdvance();
			}).start();
		}
		outside = 1; // want race "outside"
	}

	public static void main(String[] args) {
		Relaxation relaxation = new Relaxation();
		Uneven uneven = new Uneven();
		for (int i = 0; i < N; i++) {
			int id = i;
			new Thread(() -> {
				try {
					relaxation.work(id);
				} catch (InterruptedException | BrokenBarrierException e) {
					throw new IllegalStateException(e);
				}
			}).start();
			new Thread(() -> {
				try {
					uneven.work(id);
				} catch (InterruptedException | BrokenBarrierException e) {
					throw new IllegalStateException(e);
				}
			}).start();
		}
		phases();
		watched();
	}
}
