// Locks of java.util.concurrent: with try and finally, tried, forgotten on one way.
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class ExplicitLocks {
	private final Lock lock = new ReentrantLock();
	private final ReentrantLock other = new ReentrantLock(true);
	int safe, tried, untried, early, wrong, interrupted;

	void safe() {
		lock.lock();
		try {
			safe++;
		} finally {
			lock.unlock();
		}
	}

	void tried() {
		if (other.tryLock()) {
			try {
				tried++;
			} finally {
				other.unlock();
			}
		}
	}

	void untried() {
		boolean got = other.tryLock();
		untried++; // want race "untried"
		if (got) {
			other.unlock();
		}
	}

	void early() {
		lock.lock();
		lock.unlock();
		early++; // want race "early"
	}

	void wrong(boolean flag) {
		if (flag) {
			lock.lock();
		} else {
			other.lock();
		}
		wrong++; // want none fn "wrong"
		if (flag) {
			lock.unlock();
		} else {
			other.unlock();
		}
	}

	void interrupted() throws InterruptedException {
		lock.lockInterruptibly();
		try {
			interrupted++;
		} finally {
			lock.unlock();
		}
	}

	void all() {
		safe();
		tried();
		untried();
		early();
		wrong(Thread.currentThread().isDaemon());
		try {
			interrupted();
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}

	public static void main(String[] args) {
		ExplicitLocks e = new ExplicitLocks();
		new Thread(e::all).start();
		new Thread(e::all).start();
	}
}
