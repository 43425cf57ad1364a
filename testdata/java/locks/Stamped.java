// Optimistic reads: what was read counts only if the stamp is still valid. Without
// a look at the stamp it is a race.
import java.util.concurrent.locks.StampedLock;

public class Stamped {
	private final StampedLock lock = new StampedLock();
	private int checked, unchecked, direct;

	void write() {
		long stamp = lock.writeLock();
		try {
			checked++;
			unchecked++; // want race "unchecked"
			direct++; // want race "direct"
		} finally {
			lock.unlockWrite(stamp);
		}
	}

	int readChecked() {
		long stamp = lock.tryOptimisticRead();
		int value = checked;
		if (!lock.validate(stamp)) {
			stamp = lock.readLock();
			try {
				value = checked;
			} finally {
				lock.unlockRead(stamp);
			}
		}
		return value;
	}

	int readUnchecked() {
		long stamp = lock.tryOptimisticRead();
		int value = unchecked;
		return stamp == 0 ? -1 : value;
	}

	int readAfter() {
		long stamp = lock.tryOptimisticRead();
		if (lock.validate(stamp)) {
			return direct;
		}
		return 0;
	}

	public static void main(String[] args) {
		Stamped s = new Stamped();
		new Thread(s::write).start();
		System.out.println(s.readChecked() + s.readUnchecked() + s.readAfter());
	}
}
