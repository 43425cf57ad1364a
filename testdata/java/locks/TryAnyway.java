import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

// Who goes on when a try has failed holds nothing; who asks the result again knows
// better.
public class TryAnyway {
	final ReentrantLock lock = new ReentrantLock();
	int anyway;
	int asked;

	void run() throws InterruptedException {
		boolean held = lock.tryLock(1, TimeUnit.SECONDS);
		if (!held) {
			System.out.println("busy");
		}
		anyway++; // want race "anyway"
		if (held) {
			asked++;
			lock.unlock();
		}
	}

	public static void main(String[] args) throws InterruptedException {
		TryAnyway t = new TryAnyway();
		new Thread(() -> {
			try {
				for (int i = 0; i < 10; i++) {
					t.run();
				}
			} catch (InterruptedException e) {
				return;
			}
		}).start();
		t.run();
	}
}
