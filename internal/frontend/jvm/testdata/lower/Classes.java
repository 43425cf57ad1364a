import java.util.concurrent.Callable;

// Fields of a superclass, a bridge, a record, an enum, a default method, a nested
// class, reflection with a constant name, annotations.
class Classes extends Thread implements Callable<String> {
	volatile boolean stop;
	protected transient final int id = 3;

	@Deprecated(since = "2")
	public String call() throws Exception {
		Object o = Class.forName("Classes$Inner").getDeclaredConstructor().newInstance();
		return ((Inner) o).name();
	}

	interface Named {
		String name();

		default String twice() {
			return name() + name();
		}
	}

	static class Inner implements Named {
		public String name() {
			return twice();
		}
	}

	record Pair(int a, String b) {
	}

	enum Kind { A, B }
}
