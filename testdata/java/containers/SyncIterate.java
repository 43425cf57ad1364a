import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

// The methods of a synchronized list hold its own lock: who iterates needs it too.
public class SyncIterate {
	static final List<String> safe = Collections.synchronizedList(new ArrayList<>());
	static final List<String> loose = Collections.synchronizedList(new ArrayList<>());

	public static void main(String[] args) {
		new Thread(() -> {
			safe.add("a");
			loose.add("a"); // want race "loose"
		}).start();
		synchronized (safe) {
			for (String s : safe) {
				System.out.println(s);
			}
		}
		for (String s : loose) {
			System.out.println(s);
		}
	}
}
