// Containers that are not safe for concurrent use, by interface and by class.
import java.text.SimpleDateFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

public class Unsafe {
	static final List<String> list = new ArrayList<>();
	static final Map<String, String> map = new HashMap<>();
	static final Map<String, String> tree = new TreeMap<>();
	static final Set<String> set = new HashSet<>();
	static final Deque<String> deque = new ArrayDeque<>();
	static final Queue<String> queue = new LinkedList<>();
	static final StringBuilder text = new StringBuilder();
	static final SimpleDateFormat format = new SimpleDateFormat("yyyy");
	static final Map<String, String> readOnly = new HashMap<>();
	static final Collection<String> any = new LinkedList<>();
	static final Map<String, String> shrinking = new HashMap<>();

	static void write() {
		list.add("x"); // want race "list"
		map.put("k", "v"); // want race "map"
		tree.computeIfAbsent("k", k -> k + "v"); // want race "tree"
		set.remove("x"); // want race "set"
		deque.push("x"); // want race "deque"
		queue.poll(); // want race "queue"
		text.append("x"); // want race "text"
		format.format(new Date()); // want race "format"
		any.clear(); // want race "any"
		for (Iterator<Map.Entry<String, String>> i = shrinking.entrySet().iterator(); i.hasNext();) {
			if (i.next().getValue().isEmpty()) {
				i.remove(); // want race "iterator()"
			}
		}
	}

	static void read() {
		list.get(0);
		map.get("k");
		tree.containsKey("k");
		set.contains("x");
		deque.peek();
		queue.size();
		text.length();
		readOnly.get("k");
		for (Map.Entry<String, String> e : shrinking.entrySet()) {
			e.getKey().length();
		}
		for (Iterator<String> i = any.iterator(); i.hasNext();) {
			i.next();
		}
	}

	public static void main(String[] args) {
		readOnly.put("k", "v");
		new Thread(Unsafe::write).start();
		new Thread(Unsafe::read).start();
		format.format(new Date());
		readOnly.get("k");
	}
}
