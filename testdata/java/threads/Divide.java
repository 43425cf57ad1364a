// Work on one array that is divided: each thread has a range of its own.
public class Divide {
	static void sort(int[] data, int from, int to) throws InterruptedException {
		if (to - from < 2) {
			return;
		}
		int middle = (from + to) >>> 1;
		Thread left = new Thread(() -> {
			try {
				sort(data, from, middle);
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		});
		left.start();
		sort(data, middle, to);
		left.join();
		for (int i = from; i + 1 < to; i++) {
			int next = data[i + 1];
			if (data[i] > next) {
				data[i] = next;
			}
		}
	}

	static void count(int[] all, int depth) throws InterruptedException {
		if (depth == 0) {
			return;
		}
		Thread half = new Thread(() -> {
			try {
				count(all, depth - 1);
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		});
		half.start();
		count(all, depth - 1);
		for (int i = 0; i < all.length; i++) {
			all[i]++; // want race "all"
		}
		half.join();
	}

	public static void main(String[] args) throws InterruptedException {
		sort(new int[] {3, 1, 2}, 0, 3);
		count(new int[4], 3);
	}
}
