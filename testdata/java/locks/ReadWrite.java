// Readers share a lock: to write under it is a race.
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

public class ReadWrite {
	private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
	private final ReadWriteLock plain = new ReentrantReadWriteLock();
	private final Lock r = rw.readLock();
	private final Lock w = rw.writeLock();
	private final StampedLock stamped = new StampedLock();
	int safe, shared, byField, byInterface, x, y;

	int read() {
		rw.readLock().lock();
		try {
			return safe;
		} finally {
			rw.readLock().unlock();
		}
	}

	void write() {
		rw.writeLock().lock();
		try {
			safe++;
		} finally {
			rw.writeLock().unlock();
		}
	}

	void sharedWrite() {
		rw.readLock().lock();
		try {
			shared++; // want race "shared"
		} finally {
			rw.readLock().unlock();
		}
	}

	int readField() {
		r.lock();
		try {
			return byField;
		} finally {
			r.unlock();
		}
	}

	void writeField() {
		w.lock();
		try {
			byField++;
		} finally {
			w.unlock();
		}
	}

	void writeInterface() {
		plain.writeLock().lock();
		try {
			byInterface++;
		} finally {
			plain.writeLock().unlock();
		}
	}

	void move() {
		long stamp = stamped.writeLock();
		try {
			x++;
			y++;
		} finally {
			stamped.unlockWrite(stamp);
		}
	}

	int distance() {
		long stamp = stamped.tryOptimisticRead();
		int a = x, b = y;
		if (!stamped.validate(stamp)) {
			stamp = stamped.readLock();
			try {
				a = x;
				b = y;
			} finally {
				stamped.unlockRead(stamp);
			}
		}
		return a - b;
	}

	void all() {
		read();
		write();
		sharedWrite();
		readField();
		writeField();
		writeInterface();
		move();
		distance();
	}

	public static void main(String[] args) {
		ReadWrite rw = new ReadWrite();
		new Thread(rw::all).start();
		new Thread(rw::all).start();
	}
}
