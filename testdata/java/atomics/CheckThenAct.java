// Check and act under separate locks is a mistake, but no data race.
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class CheckThenAct {
	private final Map<String, Integer> map = new ConcurrentHashMap<>();
	private final AtomicInteger n = new AtomicInteger();
	private int balance;

	synchronized int get() {
		return balance;
	}

	synchronized void set(int b) {
		balance = b;
	}

	void act() {
		if (!map.containsKey("k")) {
			map.put("k", 1);
		}
		if (n.get() < 10) {
			n.set(n.get() + 1);
		}
		set(get() + 1);
	}

	public static void main(String[] args) {
		CheckThenAct c = new CheckThenAct();
		new Thread(c::act).start();
		new Thread(c::act).start();
	}
}
