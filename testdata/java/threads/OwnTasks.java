import java.util.ArrayList;
import java.util.List;

// Tasks that are made for a thread each are its own, though a list knows all
// threads; not so if the tasks can get at the list. Stretches of an array that
// threads are started with are taken to be apart.
public class OwnTasks {
	static class Task implements Runnable {
		int own;
		final int[] cells;
		final int from, to;

		Task(int[] cells, int from, int to) {
			this.cells = cells;
			this.from = from;
			this.to = to;
		}

		public void run() {
			own++;
			for (int i = from; i < to; i++) {
				cells[i]++;
			}
		}
	}

	static class Peer implements Runnable {
		int foreign;
		final List<Peer> all;

		Peer(List<Peer> all) {
			this.all = all;
		}

		public void run() {
			all.get(0).foreign++; // want race "foreign"
		}
	}

	public static void main(String[] args) throws InterruptedException {
		List<Thread> threads = new ArrayList<>();
		int[] cells = new int[40];
		for (int i = 0; i < 4; i++) {
			Thread t = new Thread(new Task(cells, 10 * i, 10 * i + 10));
			threads.add(t);
			t.start();
		}
		for (Thread t : threads) {
			t.join();
		}
		List<Peer> peers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Peer p = new Peer(peers);
			peers.add(p); // want race "peers"
			new Thread(p).start();
		}
	}
}
