// Classes that a constant names are made by reflection.
public class ByName {
	public static class Forgotten extends Thread {
		static int runs;

		@Override
		public void run() {
			runs++; // want race "Forgotten.runs"
		}
	}

	public static class Constructed implements Runnable {
		static int runs;

		@Override
		public void run() {
			runs++; // want race "Constructed.runs"
		}
	}

	public static class Loaded implements Runnable {
		static int runs;

		@Override
		public void run() {
			runs++; // want race "Loaded.runs"
		}
	}

	public static class Guarded implements Runnable {
		static int runs;

		@Override
		public void run() {
			synchronized (Guarded.class) {
				runs++;
			}
		}
	}

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 2; i++) {
			((Thread) Class.forName("ByName$Forgotten").newInstance()).start();
			Class<?> k = Class.forName("ByName$Constructed");
			new Thread((Runnable) k.getDeclaredConstructor().newInstance()).start();
			ClassLoader loader = ByName.class.getClassLoader();
			Object o = loader.loadClass("ByName$Loaded").getConstructor().newInstance();
			new Thread((Runnable) o).start();
			new Thread((Runnable) Guarded.class.getDeclaredConstructor().newInstance()).start();
		}
	}
}
