// Locks behind methods, and a lambda that runs while the caller holds the lock.
import java.util.concurrent.locks.ReentrantLock;

public class Wrapped {
	private final ReentrantLock lock = new ReentrantLock();
	int byMethod, byLambda, outside;

	private void enter() {
		lock.lock();
	}

	private void leave() {
		lock.unlock();
	}

	void byMethod() {
		enter();
		try {
			byMethod++;
		} finally {
			leave();
		}
	}

	void with(Runnable r) {
		synchronized (this) {
			r.run();
		}
	}

	void byLambda() {
		with(() -> byLambda++);
	}

	void outside() {
		enter();
		leave();
		outside++; // want race "outside"
	}

	void all() {
		byMethod();
		byLambda();
		outside();
	}

	public static void main(String[] args) {
		Wrapped w = new Wrapped();
		new Thread(w::all).start();
		new Thread(w::all).start();
	}
}
