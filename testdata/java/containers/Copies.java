import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

// A list that is made from a synchronized collection asks it for an array, under
// its lock; a set iterates without. A collection without a lock is read either way.
public class Copies {
	static final Set<String> running = Collections.synchronizedSet(new HashSet<>());
	static final Set<String> walked = Collections.synchronizedSet(new HashSet<>());
	static final List<String> joined = Collections.synchronizedList(new ArrayList<>());
	static final List<String> plain = new ArrayList<>();

	static void fill() {
		running.add("a");
		walked.add("a"); // want race "walked"
		joined.add("a");
		plain.add("a"); // want race "plain"
	}

	static int look() {
		int n = 0;
		for (String s : new ArrayList<>(running)) {
			n += s.length();
		}
		for (String s : new HashSet<>(walked)) {
			n += s.length();
		}
		List<String> all = new ArrayList<>();
		all.addAll(joined);
		for (String s : new ArrayList<>(plain)) {
			n += s.length();
		}
		return n + all.size() + List.copyOf(joined).size();
	}

	public static void main(String[] args) {
		new Thread(Copies::fill).start();
		System.out.println(look());
	}
}
