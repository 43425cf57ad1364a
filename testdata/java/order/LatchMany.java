// Many workers count a latch down; whoever awaits it comes after all of them.
import java.util.concurrent.CountDownLatch;

public class LatchMany {
	static final int N = 4;
	static final int[] results = new int[N];
	static int sum;

	public static void main(String[] args) throws InterruptedException {
		CountDownLatch latch = new CountDownLatch(N);
		for (int i = 0; i < N; i++) {
			final int k = i;
			new Thread(() -> {
				results[k] = k * k;
				latch.countDown();
			}).start();
		}
		latch.await();
		for (int r : results) {
			sum += r;
		}
	}
}
