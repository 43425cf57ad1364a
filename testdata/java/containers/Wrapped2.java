// Wrappers: a synchronised list must be locked by who iterates; what it wraps can
// still be reached without it.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Wrapped2 {
	static final List<String> inner = new ArrayList<>();
	static final List<String> leaked = Collections.synchronizedList(inner);
	static final List<String> iterated = Collections.synchronizedList(new ArrayList<>());
	static final List<String> locked = Collections.synchronizedList(new ArrayList<>());
	static final List<String> source = new ArrayList<>();
	static final List<String> view = Collections.unmodifiableList(source);

	public static void main(String[] args) {
		new Thread(() -> {
			leaked.add("x"); // want race "leaked"
			iterated.add("x"); // want race "iterated"
			locked.add("x");
			source.add("x"); // want race "source"
		}).start();
		inner.size();
		for (String s : iterated) {
			s.length();
		}
		synchronized (locked) {
			for (String s : locked) {
				s.length();
			}
		}
		view.get(0);
	}
}
