// Dining philosophers may block each other, but every fork is used under its lock.
public class Philosophers {
	static class Fork {
		int uses;
	}

	static class Philosopher extends Thread {
		private final Fork left, right;
		private int meals;

		Philosopher(Fork left, Fork right) {
			this.left = left;
			this.right = right;
		}

		@Override
		public void run() {
			synchronized (left) {
				synchronized (right) {
					left.uses++;
					right.uses++;
					meals++;
				}
			}
		}
	}

	public static void main(String[] args) {
		int n = 5;
		Fork[] forks = new Fork[n];
		for (int i = 0; i < n; i++) {
			forks[i] = new Fork();
		}
		for (int i = 0; i < n; i++) {
			new Philosopher(forks[i], forks[(i + 1) % n]).start();
		}
	}
}
