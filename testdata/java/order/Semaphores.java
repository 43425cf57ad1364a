// A semaphore with one permit is a lock; one without permits is a signal; one with
// more protects nothing.
import java.util.concurrent.Semaphore;

public class Semaphores {
	static final Semaphore mutex = new Semaphore(1);
	static final Semaphore signal = new Semaphore(0);
	static final Semaphore two = new Semaphore(2);
	static int locked, signalled, crowded;

	static void locked() {
		mutex.acquireUninterruptibly();
		try {
			locked++;
		} finally {
			mutex.release();
		}
	}

	static void crowded() {
		two.acquireUninterruptibly();
		try {
			crowded++; // want race "crowded"
		} finally {
			two.release();
		}
	}

	public static void main(String[] args) {
		new Thread(() -> {
			locked();
			crowded();
			signalled = 1;
			signal.release();
		}).start();
		locked();
		crowded();
		signal.acquireUninterruptibly();
		signalled++;
	}
}
