import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

// A blocking queue may be used by several threads also where it is called as a queue or
// as a collection; another queue may not.
public class Queues2 {
	static final Queue<String> events = new LinkedBlockingQueue<>();
	static final Collection<String> all = new ArrayBlockingQueue<>(9);
	static final Queue<String> plain = new ArrayDeque<>();

	static void put() {
		events.add("a");
		all.add("b");
		plain.add("c"); // want race "plain"
	}

	public static void main(String[] args) {
		new Thread(Queues2::put).start();
		put();
		System.out.println(events.poll() + all.size());
	}
}
