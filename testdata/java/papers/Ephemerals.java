// O2, section 5.3: sets in a concurrent map. One request locks the set it adds to,
// the other does not.
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public class Ephemerals {
	private final ConcurrentHashMap<Long, HashSet<String>> sessions = new ConcurrentHashMap<>();

	void create(long session, String path) {
		HashSet<String> set = sessions.get(session);
		if (set == null) {
			set = new HashSet<>();
			sessions.put(session, set);
		}
		synchronized (set) {
			set.add(path);
		}
	}

	void restore(long session, String path) {
		HashSet<String> set = sessions.get(session);
		if (set == null) {
			set = new HashSet<>();
			sessions.put(session, set);
		}
		set.add(path); // want race "set"
	}

	Set<String> paths(long session) {
		HashSet<String> set = sessions.get(session);
		synchronized (set) {
			return new HashSet<>(set);
		}
	}

	public static void main(String[] args) {
		Ephemerals e = new Ephemerals();
		new Thread(() -> e.create(1, "a")).start();
		new Thread(() -> e.restore(1, "b")).start();
		new Thread(() -> e.paths(1)).start();
	}
}
