// Producers and consumers with wait and notify; one method forgets the monitor.
public class Buffer {
	private final int[] slots = new int[10];
	private int in, out, used;

	synchronized void put(int x) throws InterruptedException {
		while (used == slots.length) {
			wait();
		}
		slots[in] = x;
		in = (in + 1) % slots.length;
		used++;
		notifyAll();
	}

	synchronized int get() throws InterruptedException {
		while (used == 0) {
			wait();
		}
		int x = slots[out];
		out = (out + 1) % slots.length;
		used--;
		notifyAll();
		return x;
	}

	boolean isEmpty() {
		return used == 0; // want race "used"
	}

	public static void main(String[] args) {
		Buffer b = new Buffer();
		for (int i = 0; i < 3; i++) {
			new Thread(() -> {
				try {
					b.put(1);
				} catch (InterruptedException e) {
					return;
				}
			}).start();
			new Thread(() -> {
				try {
					if (!b.isEmpty()) {
						b.get();
					}
				} catch (InterruptedException e) {
					return;
				}
			}).start();
		}
	}
}
