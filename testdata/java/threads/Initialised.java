// A class is initialised once, before anybody uses it, although several places
// may be the first: a thread that is started after one of them sees all of it.
public class Initialised {
	static class Settings {
		static boolean on;

		static {
			on = Boolean.getBoolean("on");
		}

		static void watch() {
			if (on) {
				new Thread(() -> System.out.println(on)).start();
			}
		}
	}

	static void run(String[] args) {
		if (args.length == 7) {
			throw new IllegalStateException();
		}
		Settings.watch();
	}

	public static void main(String[] args) {
		try {
			run(args);
		} catch (IllegalStateException e) {
			System.out.println(Settings.on);
		} catch (RuntimeException e) {
			System.out.println(!Settings.on);
		}
	}
}
