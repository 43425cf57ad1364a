import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

// The locks of a ReadWriteLock that is known by its interface alone.
public class ByInterface {
	final ReadWriteLock rw = new ReentrantReadWriteLock();
	int value;
	int counted;

	void set(int v) {
		rw.writeLock().lock();
		try {
			value = v;
		} finally {
			rw.writeLock().unlock();
		}
	}

	int get() {
		rw.readLock().lock();
		try {
			counted++; // want race "counted"
			return value;
		} finally {
			rw.readLock().unlock();
		}
	}

	public static void main(String[] args) {
		ByInterface b = new ByInterface();
		new Thread(() -> b.set(1)).start();
		new Thread(() -> b.get()).start();
		b.get();
	}
}
