// Locks behind methods, behind try-with-resources, and a lambda that runs while
// the caller holds the lock.
import java.util.concurrent.locks.ReentrantLock;

public class Wrapped {
	static class Guard implements AutoCloseable {
		private final ReentrantLock lock;

		Guard(ReentrantLock lock) {
			this.lock = lock;
			lock.lock();
		}

		@Override
		public void close() {
			lock.unlock();
		}
	}

	private final ReentrantLock lock = new ReentrantLock();
	int byMethod, byResource, byLambda, outside;

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

	void byResource() {
		try (Guard g = new Guard(lock)) {
			byResource++;
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
		byResource();
		byLambda();
		outside();
	}

	public static void main(String[] args) {
		Wrapped w = new Wrapped();
		new Thread(w::all).start();
		new Thread(w::all).start();
	}
}
