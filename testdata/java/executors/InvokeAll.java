// invokeAll comes back when all tasks are over, which run at the same time.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class InvokeAll {
	static int racy;
	static int sum;

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Callable<Integer>> tasks = new ArrayList<>();
		int[] cells = new int[1];
		for (int i = 0; i < 4; i++) {
			tasks.add(() -> {
				cells[0] = 1; // want race "[0]"
				return racy++; // want race "racy"
			});
		}
		for (Future<Integer> f : pool.invokeAll(tasks)) {
			sum += f.get();
		}
		racy = 0;
	}
}
