// Threads that swap neighbours of one array without a lock.
public class BubbleSort {
	static final int[] numbers = {5, 4, 3, 2, 1};

	static class Sorter extends Thread {
		final int from;

		Sorter(int from) {
			this.from = from;
		}

		@Override
		public void run() {
			for (int i = from; i + 1 < numbers.length; i++) {
				if (numbers[i] > numbers[i + 1]) {
					int t = numbers[i];
					numbers[i] = numbers[i + 1]; // want none fn "numbers"
					numbers[i + 1] = t;
				}
			}
		}
	}

	public static void main(String[] args) throws InterruptedException {
		for (int i = 0; i < numbers.length; i++) {
			new Sorter(i).start();
		}
	}
}
