// Arrays that a method of an interface makes: each is the caller's own until it is
// put where others find it, if all who implement the method make it anew. An array
// without elements can be shared by all.
public class Factories {
	interface Type {
		Object[] create(int n);
	}

	static class Plain implements Type {
		@Override
		public Object[] create(int n) {
			return new Object[n];
		}
	}

	static class Text implements Type {
		@Override
		public Object[] create(int n) {
			return new String[n];
		}
	}

	interface Pool {
		Object[] take(int n);
	}

	static class Fresh implements Pool {
		@Override
		public Object[] take(int n) {
			return new Object[n];
		}
	}

	static class Cached implements Pool {
		private final Object[] one = new Object[8];

		@Override
		public Object[] take(int n) {
			return one;
		}
	}

	static final Object[] NONE = {};
	static final Object[] ONE = new Object[1];

	static class Page {
		private final Type type;
		private final Pool pool;
		private volatile Object[] items = NONE;
		private volatile Object[] other = ONE;

		Page(Type type, Pool pool) {
			this.type = type;
			this.pool = pool;
		}

		void grow(Object x) {
			Object[] next = type.create(2);
			next[0] = x;
			items = next;
			Object[] pooled = pool.take(2);
			pooled[0] = x; // want race "take()[0]"
		}

		void shared(Object x) {
			Object[] list = x == null ? NONE : new Object[1];
			list[0] = x;
			Object[] all = x == null ? ONE : new Object[1];
			all[0] = x; // want race "all[0]"
		}
	}

	static Page page;

	static void work() {
		page.grow("a");
		page.shared("b");
	}

	public static void main(String[] args) {
		Type t = args.length > 0 ? new Plain() : new Text();
		Pool p = args.length > 1 ? new Fresh() : new Cached();
		page = new Page(t, p);
		new Thread(Factories::work).start();
		work();
	}
}
