// Tasks of a pool run at the same time; those of a single thread one after the
// other. To shut down is not to wait.
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class Pools {
	static int pooled, single, waited, shut, got, notGot;

	public static void main(String[] args) throws InterruptedException, ExecutionException {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		ExecutorService one = Executors.newSingleThreadExecutor();
		for (int i = 0; i < 10; i++) {
			pool.execute(() -> pooled++); // want race "pooled"
			one.execute(() -> single++);
		}
		Future<Integer> f = pool.submit(new Callable<Integer>() {
			public Integer call() {
				notGot++; // want race "notGot"
				return got++;
			}
		});
		notGot = 1;
		f.get();
		got = 1;

		ExecutorService waiting = Executors.newCachedThreadPool();
		waiting.submit(() -> {
			waited++;
		});
		waiting.shutdown();
		waiting.awaitTermination(1, TimeUnit.MINUTES);
		waited = 2;

		ExecutorService shutting = Executors.newCachedThreadPool();
		shutting.submit(() -> {
			shut++; // want race "shut"
		});
		shutting.shutdown();
		shut = 2;
	}
}
