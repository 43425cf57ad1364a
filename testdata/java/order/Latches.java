// Latches and barriers put threads in order.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

public class Latches {
	static int gate, done, phase1, noWait, afterDown;

	public static void main(String[] args) throws Exception {
		CountDownLatch start = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CyclicBarrier barrier = new CyclicBarrier(2);
		Thread a = new Thread(() -> {
			try {
				start.await();
			} catch (InterruptedException e) {
				return;
			}
			gate++;
			done++;
			noWait++; // want race "noWait"
			end.countDown();
			afterDown++; // want race "afterDown"
		});
		a.start();
		gate = 5;
		start.countDown();
		noWait = 5;
		end.await();
		done = 6;
		afterDown = 7;
		new Thread(() -> {
			phase1 = 1;
			meet(barrier);
		}).start();
		new Thread(() -> {
			meet(barrier);
			phase1++;
		}).start();
	}

	static void meet(CyclicBarrier b) {
		try {
			b.await();
		} catch (InterruptedException | BrokenBarrierException e) {
			throw new IllegalStateException(e);
		}
	}
}
