// Locks made of atomics: whoever has changed one from free holds it until he writes
// to it again.
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class Spin {
	private final AtomicBoolean busy = new AtomicBoolean();
	private final AtomicInteger state = new AtomicInteger(0);
	private final AtomicReference<Thread> owner = new AtomicReference<>();
	int set, swapped, owned, loose;

	void compareAndSet() {
		while (!busy.compareAndSet(false, true)) {
			Thread.onSpinWait();
		}
		set++;
		busy.set(false);
		loose++; // want race "loose"
	}

	void getAndSet() {
		while (state.getAndSet(1) != 0) {
			Thread.onSpinWait();
		}
		try {
			swapped++;
		} finally {
			state.set(0);
		}
	}

	void lock() {
		Thread me = Thread.currentThread();
		while (!owner.compareAndSet(null, me)) {
			Thread.yield();
		}
	}

	void unlock() {
		owner.compareAndSet(Thread.currentThread(), null);
	}

	void withOwner() {
		lock();
		owned++;
		unlock();
	}

	static class Ignored implements Runnable {
		private final AtomicBoolean busy = new AtomicBoolean();
		int tried;

		@Override
		public void run() {
			busy.compareAndSet(false, true);
			tried++; // want race "tried"
			busy.set(false);
		}
	}

	public static void main(String[] args) {
		Spin s = new Spin();
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				s.compareAndSet();
				s.getAndSet();
				s.withOwner();
			}).start();
		}
		Ignored other = new Ignored();
		for (int i = 0; i < 2; i++) {
			new Thread(other).start();
		}
	}
}
