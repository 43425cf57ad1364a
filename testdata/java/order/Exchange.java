// An exchanger hands objects over: the buffer that was filled is the other one's
// afterwards.
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;

public class Exchange {
	static final Exchanger<int[]> exchanger = new Exchanger<>();
	static final Exchanger<int[]> kept = new Exchanger<>();
	static final Exchanger<int[]> again = new Exchanger<>();
	static final Phaser phaser = new Phaser(2);
	static int phase, unphased;

	static void swap(int value) {
		try {
			int[] mine = new int[1];
			mine[0] = value;
			int[] theirs = exchanger.exchange(mine);
			theirs[0]++;
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void keep(int value) {
		try {
			int[] mine = new int[1];
			int[] theirs = kept.exchange(mine);
			theirs[0] = value;
			mine[0] = value; // want race "[0]"
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	// The same two buffers go back and forth: that they are two is not seen.
	static void rounds(int value) {
		try {
			int[] mine = new int[1];
			for (int i = 0; i < 10; i++) {
				mine[0] = value; // want race fp "[0]"
				mine = again.exchange(mine);
			}
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) {
		new Thread(() -> swap(1)).start();
		new Thread(() -> swap(2)).start();
		new Thread(() -> keep(1)).start();
		new Thread(() -> keep(2)).start();
		new Thread(() -> rounds(1)).start();
		new Thread(() -> rounds(2)).start();
		new Thread(() -> {
			phase = 1;
			unphased = 1; // want race "unphased"
			phaser.arriveAndAwaitAdvance();
		}).start();
		new Thread(() -> {
			unphased = 2;
			phaser.arriveAndAwaitAdvance();
			phase++;
		}).start();
	}
}
