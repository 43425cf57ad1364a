import java.util.ServiceLoader;

// Providers that META-INF/services names are made by ServiceLoader; one that it
// does not name is not.
public class Services {
	public interface Plugin {
		void call();
	}

	public interface Nobody {
		void call();
	}

	public static class Counting implements Plugin {
		static int calls;

		@Override
		public void call() {
			calls++; // want race "calls"
		}
	}

	public static class Locked implements Plugin {
		static int calls;

		@Override
		public void call() {
			synchronized (Locked.class) {
				calls++;
			}
		}
	}

	public static class Unlisted implements Plugin {
		static int calls;

		@Override
		public void call() {
			calls++;
		}
	}

	public static class Fetched implements Runnable {
		static int runs;

		@Override
		public void run() {
			runs++; // want race "runs"
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 2; i++) {
			new Thread(Services::use).start();
		}
	}

	static void use() {
		for (Plugin p : ServiceLoader.load(Plugin.class)) {
			p.call();
		}
		ServiceLoader.load(Nobody.class, Services.class.getClassLoader()).forEach(Nobody::call);
		ServiceLoader.load(Runnable.class).findFirst().ifPresent(Runnable::run);
	}
}
