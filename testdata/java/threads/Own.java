// Each thread has objects of its own: made by it, or made for it alone.
public class Own {
	static class Task implements Runnable {
		int n;
		final StringBuilder text = new StringBuilder();

		public void run() {
			n++;
			text.append(n);
			int[] local = new int[3];
			local[0] = n;
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 4; i++) {
			new Thread(new Task()).start();
		}
	}
}
