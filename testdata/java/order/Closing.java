import java.util.ArrayList;
import java.util.List;

// Who closes sets a flag under the lock and goes through the list without it: nobody
// adds to it who finds the flag set. One method does not look at the flag, and
// another list is gone through before the flag is set.
public class Closing {
	private static final List<String> open = new ArrayList<>();
	private static final List<String> loose = new ArrayList<>();
	private static final List<String> early = new ArrayList<>();
	private static boolean closed;

	static synchronized void add(String s) {
		if (closed) {
			return;
		}
		open.add(s);
		early.add(s); // want race "early"
	}

	static synchronized void addAlways(String s) {
		loose.add(s); // want race "loose"
	}

	static void close() {
		for (String s : early) {
			System.out.println(s);
		}
		synchronized (Closing.class) {
			closed = true;
		}
		for (String s : open) {
			System.out.println(s);
		}
		for (String s : loose) {
			System.out.println(s);
		}
	}

	public static void main(String[] args) {
		new Thread(Closing::close).start();
		add("a");
		addAlways("b");
	}
}
