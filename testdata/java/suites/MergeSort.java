// Each thread sorts a part of its own; the parent waits for both children.
public class MergeSort extends Thread {
	private final int[] data;
	private int threads;
	static int started;

	MergeSort(int[] data) {
		this.data = data;
	}

	@Override
	public void run() {
		started++; // want race "started"
		if (data.length < 2) {
			return;
		}
		int[] left = new int[data.length / 2];
		int[] right = new int[data.length - left.length];
		System.arraycopy(data, 0, left, 0, left.length);
		System.arraycopy(data, left.length, right, 0, right.length);
		MergeSort l = new MergeSort(left);
		MergeSort r = new MergeSort(right);
		l.start();
		r.start();
		try {
			l.join();
			r.join();
		} catch (InterruptedException e) {
			return;
		}
		for (int i = 0, j = 0, k = 0; k < data.length; k++) {
			data[k] = j >= right.length || i < left.length && left[i] <= right[j] ? left[i++] : right[j++]; // want race fp "data"
		}
		threads = l.threads + r.threads + 2; // want race fp "threads"
	}

	public static void main(String[] args) {
		new MergeSort(new int[] {3, 1, 2}).start();
	}
}
