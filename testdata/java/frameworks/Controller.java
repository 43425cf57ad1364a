// A component of which there is one: requests are served in any number at the same
// time, a scheduled method runs beside them, but never twice at once.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public class Controller {
	private int hits;
	private final AtomicInteger safe = new AtomicInteger();
	private final Map<String, String> cache = new HashMap<>();
	private int ticks, both;

	@GetMapping("/")
	public String get(String key) {
		hits++; // want race "hits"
		safe.incrementAndGet();
		both = 1; // want race "both"
		return cache.computeIfAbsent(key, k -> k + hits); // want race "cache"
	}

	@Scheduled(fixedRate = 1000)
	public void tick() {
		ticks++;
		both = 2;
	}
}
