// Objects reach other threads through containers.
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

public class Values {
	static class Item {
		int inMap, inList, inQueue, sent, inRef, inOptional, inEntry;
	}

	static final Map<String, Item> map = new ConcurrentHashMap<>();
	static final CopyOnWriteArrayList<Item> list = new CopyOnWriteArrayList<>();
	static final BlockingQueue<Item> queue = new LinkedBlockingQueue<>();
	static final AtomicReference<Item> ref = new AtomicReference<>();

	public static void main(String[] args) throws InterruptedException {
		Item item = new Item();
		item.sent = 1;
		map.put("k", item);
		list.add(item);
		ref.set(item);
		Optional<Item> optional = Optional.of(item);
		new Thread(() -> {
			map.get("k").inMap++; // want race "inMap"
			for (Item i : list) {
				i.inList++; // want race "inList"
			}
			ref.get().inRef++; // want race "inRef"
			optional.get().inOptional++; // want race "inOptional"
			for (Map.Entry<String, Item> e : map.entrySet()) {
				e.getValue().inEntry++; // want race "inEntry"
			}
			try {
				Item taken = queue.take();
				taken.sent++;
				taken.inQueue++; // want race "inQueue"
			} catch (InterruptedException e) {
				return;
			}
		}).start();
		item.inMap = 1;
		item.inList = 1;
		item.inRef = 1;
		item.inOptional = 1;
		item.inEntry = 1;
		Item next = new Item();
		next.sent = 2;
		queue.put(next);
		next.inQueue = 2;
	}
}
