// The runs of one periodic task do not overlap, but two tasks of a pool do. A timer
// has one thread.
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class Scheduled {
	static int own, both, single, timed, mixed;

	public static void main(String[] args) {
		ScheduledExecutorService pool = Executors.newScheduledThreadPool(4);
		pool.scheduleAtFixedRate(() -> {
			own++;
			both++; // want race "both"
		}, 0, 1, TimeUnit.SECONDS);
		pool.schedule(() -> {
			both = 0;
		}, 1, TimeUnit.SECONDS);
		ScheduledExecutorService one = Executors.newSingleThreadScheduledExecutor();
		one.scheduleWithFixedDelay(() -> single++, 0, 1, TimeUnit.SECONDS);
		one.schedule(() -> single--, 1, TimeUnit.SECONDS);
		Timer timer = new Timer();
		timer.schedule(task(() -> timed++), 10, 10);
		timer.schedule(task(() -> timed--), 10);
		timer.schedule(task(() -> mixed++), 10); // want race "mixed"
		mixed = 1;
	}

	static TimerTask task(Runnable r) {
		return new TimerTask() {
			@Override
			public void run() {
				r.run();
			}
		};
	}
}
