// Five ways to start work, four racy places, two correct ones. A field that a
// lambda, a method reference, an executor and a stage of a future add to; an
// element of an array; a field with a lock on one side only; a static field that a
// timer, an executor and a parallel stream add to. The volatile flag and the map
// that each thread makes for itself are fine.
import java.util.HashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

public class FiveThreads {
	int field;
	int[] array = new int[4];
	int half;
	static int total;
	volatile boolean stop;
	final Object lock = new Object();

	void bump() {
		field++; // want race "field"
	}

	void guarded() {
		synchronized (lock) {
			half++;
		}
	}

	int unguarded() {
		return half; // want race "half"
	}

	void local() {
		Map<String, Integer> own = new HashMap<>();
		while (!stop) {
			own.put("n", own.size());
		}
	}

	public static void main(String[] args) {
		FiveThreads t = new FiveThreads();
		new Thread(() -> t.bump()).start();
		new Thread(t::bump).start();
		ExecutorService pool = Executors.newFixedThreadPool(4);
		pool.submit(() -> {
			t.bump();
			t.array[0]++; // want race "array"
			t.guarded();
			t.local();
			total++; // want race "total"
		});
		CompletableFuture.runAsync(() -> {
			t.bump();
			t.array[0] = 2;
			t.unguarded();
			t.local();
		});
		new Timer().schedule(new TimerTask() {
			@Override
			public void run() {
				total++;
			}
		}, 10);
		IntStream.range(0, 100).parallel().forEach(i -> total++); // want race "total"
		t.stop = true;
	}
}
