// Where a program has a lock of its own, calls through the interface may run that or
// those of the library: who was told that a try has succeeded holds the lock.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class OwnLocks {
	static class Logged implements Lock {
		private final ReentrantLock inner = new ReentrantLock();

		public void lock() {
			inner.lock();
		}

		public void lockInterruptibly() throws InterruptedException {
			inner.lockInterruptibly();
		}

		public boolean tryLock() {
			return inner.tryLock();
		}

		public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
			return inner.tryLock(time, unit);
		}

		public void unlock() {
			inner.unlock();
		}

		public Condition newCondition() {
			return inner.newCondition();
		}
	}

	private Lock plain = new ReentrantLock();
	private final Lock logged = new Logged();
	int tried, triedOwn, refused, forgotten;

	void tried() {
		if (plain.tryLock()) {
			try {
				tried++;
			} finally {
				plain.unlock();
			}
		}
	}

	void triedOwn() {
		if (!logged.tryLock()) {
			return;
		}
		try {
			triedOwn++;
		} finally {
			logged.unlock();
		}
	}

	void refused() {
		if (plain.tryLock()) {
			plain.unlock();
			forgotten++; // want race "forgotten"
		} else {
			refused++; // want race "refused"
		}
	}

	void all() {
		tried();
		triedOwn();
		refused();
	}

	public static void main(String[] args) {
		OwnLocks o = new OwnLocks();
		new Thread(o::all).start();
		new Thread(o::all).start();
	}
}
