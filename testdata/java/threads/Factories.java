// Threads that a factory makes are told apart by who asks for them, through all
// of its methods: a thread that is asked for later does not run before.
public class Factories {
	interface Maker {
		Thread make(Runnable task);
	}

	static class Plain implements Maker {
		public Thread make(Runnable task) {
			return make(task, "plain");
		}

		Thread make(Runnable task, String name) {
			return make(task, name, true);
		}

		protected Thread make(Runnable task, String name, boolean daemon) {
			Thread t = new Thread(task, name);
			t.setDaemon(daemon);
			return t;
		}
	}

	static class Named extends Plain {
		Thread make(Runnable task, String name) {
			Thread t = super.make(task, name, false);
			t.setName("named");
			return t;
		}
	}

	static class Service {
		final Maker maker;
		int early, late, shared;

		Service(Maker maker) {
			this.maker = maker;
		}

		void begin() {
			Thread t = maker.make(this::first);
			t.start();
		}

		void finish() {
			Thread t = maker.make(this::second);
			t.start();
		}

		void first() {
			early++; // want race "early"
		}

		void second() {
			late++;
			shared++; // want race "shared"
		}
	}

	public static void main(String[] args) {
		Service s = new Service(args.length > 0 ? new Plain() : new Named());
		s.begin();
		s.early++;
		s.late++;
		s.finish();
		s.shared++;
	}
}
