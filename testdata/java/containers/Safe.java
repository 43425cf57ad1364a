// Containers that are safe for concurrent use.
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

public class Safe {
	static final Map<String, String> map = new ConcurrentHashMap<>();
	static final ConcurrentMap<String, String> skip = new ConcurrentSkipListMap<>();
	static final List<String> list = new CopyOnWriteArrayList<>();
	static final List<String> vector = new Vector<>();
	static final Map<String, String> table = new Hashtable<>();
	static final Queue<String> queue = new ConcurrentLinkedQueue<>();
	static final Queue<String> blocking = new LinkedBlockingQueue<>();
	static final Map<String, String> wrapped = Collections.synchronizedMap(new HashMap<>());
	static final Set<String> keys = ConcurrentHashMap.newKeySet();
	static final Set<String> fromMap = Collections.newSetFromMap(new ConcurrentHashMap<>());
	static final StringBuffer text = new StringBuffer();
	static final Random random = new Random();
	static final Map<String, String> fixed = Collections.unmodifiableMap(new LinkedHashMap<>());

	static void use() {
		map.put("k", "v");
		map.computeIfAbsent("k", k -> k);
		map.merge("k", "v", (a, b) -> a + b);
		for (String k : map.keySet()) {
			map.get(k);
		}
		for (Iterator<Map.Entry<String, String>> i = map.entrySet().iterator(); i.hasNext();) {
			if (i.next().getValue().isEmpty()) {
				i.remove();
			}
		}
		map.values().remove("v");
		skip.putIfAbsent("k", "v");
		for (Map.Entry<String, String> e : skip.entrySet()) {
			e.setValue("w");
		}
		list.add("x");
		for (String s : list) {
			s.length();
		}
		vector.add("x");
		table.put("k", "v");
		queue.offer("x");
		queue.poll();
		blocking.offer("x");
		wrapped.put("k", "v");
		wrapped.get("k");
		keys.add("x");
		fromMap.add("x");
		text.append("x");
		random.nextInt();
		fixed.get("k");
	}

	public static void main(String[] args) {
		new Thread(Safe::use).start();
		new Thread(Safe::use).start();
	}
}
