// A bounded buffer with two conditions of one lock.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Conditions {
	private final ReentrantLock lock = new ReentrantLock();
	private final Condition notEmpty = lock.newCondition();
	private final Condition notFull = lock.newCondition();
	private final int[] items = new int[8];
	private int count, in, out;
	int peeked;

	void put(int x) throws InterruptedException {
		lock.lock();
		try {
			while (count == items.length) {
				notFull.await();
			}
			items[in] = x;
			in = (in + 1) % items.length;
			count++;
			notEmpty.signal();
		} finally {
			lock.unlock();
		}
	}

	int take() throws InterruptedException {
		lock.lock();
		try {
			while (count == 0) {
				notEmpty.await();
			}
			int x = items[out];
			out = (out + 1) % items.length;
			count--;
			notFull.signal();
			return x;
		} finally {
			lock.unlock();
		}
	}

	int size() {
		return count; // want race "count"
	}

	public static void main(String[] args) throws InterruptedException {
		Conditions c = new Conditions();
		new Thread(() -> {
			try {
				c.put(1);
			} catch (InterruptedException e) {
				return;
			}
		}).start();
		c.take();
		c.size();
	}
}
