// A lock behind try-with-resources: the guard gives back the lock it was made with.
import java.util.concurrent.locks.ReentrantLock;

public class Resources {
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
	int inside, outside;

	void work() {
		try (Guard g = new Guard(lock)) {
			inside++;
		}
		outside++; // want race "outside"
	}

	public static void main(String[] args) {
		Resources r = new Resources();
		new Thread(r::work).start();
		new Thread(r::work).start();
	}
}
