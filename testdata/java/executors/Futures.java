// A loop that gets all futures comes after all tasks.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Futures {
	static int sum, beside;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Future<?>> futures = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			futures.add(pool.submit(() -> {
				synchronized (Futures.class) {
					sum++;
					beside++;
				}
			}));
		}
		beside = 0; // want race "beside"
		for (Future<?> f : futures) {
			f.get();
		}
		System.out.println(sum);
	}
}
