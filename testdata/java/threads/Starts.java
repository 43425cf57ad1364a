// Every way to give a thread its work: a subclass, a Runnable, an anonymous class,
// an inner class, a lambda, a method reference.
public class Starts {
	static class Box {
		int subclass, runnable, anonymous, inner, lambda, method;

		void add() {
			method++; // want race "method"
		}
	}

	static class Worker extends Thread {
		final Box box;

		Worker(Box box) {
			this.box = box;
		}

		@Override
		public void run() {
			box.subclass++; // want race "subclass"
		}
	}

	static class Job implements Runnable {
		private final Box box;

		Job(Box box) {
			this.box = box;
		}

		public void run() {
			box.runnable++; // want race "runnable"
		}
	}

	Box mine = new Box();

	class Inner implements Runnable {
		public void run() {
			mine.inner++; // want race "inner"
		}
	}

	void inner() {
		new Thread(new Inner()).start();
		mine.inner = 0;
	}

	public static void main(String[] args) {
		final Box box = new Box();
		new Worker(box).start();
		box.subclass = 1;
		new Thread(new Job(box), "job").start();
		box.runnable = 1;
		new Thread() {
			@Override
			public void run() {
				box.anonymous++; // want race "anonymous"
			}
		}.start();
		box.anonymous = 1;
		new Starts().inner();
		new Thread(() -> box.lambda++).start(); // want race "lambda"
		box.lambda = 1;
		new Thread(box::add).start();
		box.method = 1;
	}
}
