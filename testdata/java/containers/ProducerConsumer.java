// Items go through a blocking queue: the producer writes them before, the consumer
// after. A counter beside the queue is not protected by it.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class ProducerConsumer {
	static class Item {
		int value;
	}

	private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(16);
	int count;

	void produce() throws InterruptedException {
		for (int i = 0; i < 100; i++) {
			Item item = new Item();
			item.value = i;
			queue.put(item);
			count++; // want race "count"
		}
	}

	void consume() throws InterruptedException {
		for (int i = 0; i < 100; i++) {
			Item item = queue.take();
			item.value++;
			count--;
		}
	}

	public static void main(String[] args) {
		ProducerConsumer p = new ProducerConsumer();
		new Thread(() -> {
			try {
				p.produce();
			} catch (InterruptedException e) {
				return;
			}
		}).start();
		new Thread(() -> {
			try {
				p.consume();
			} catch (InterruptedException e) {
				return;
			}
		}).start();
	}
}
