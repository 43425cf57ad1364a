// Lazily made singletons: without a lock, with double-checked locking on a plain
// field and on a volatile one, with a lock, with a holder class.
public class Singletons {
	static class Config {
		int size = 3;
	}

	static Config naive, checked, locked;
	static volatile Config published;

	static Config naive() {
		if (naive == null) {
			naive = new Config(); // want race "naive"
		}
		return naive;
	}

	static Config checked() {
		if (checked == null) {
			synchronized (Singletons.class) {
				if (checked == null) {
					checked = new Config(); // want race "checked"
				}
			}
		}
		return checked;
	}

	static Config published() {
		Config c = published;
		if (c == null) {
			synchronized (Singletons.class) {
				c = published;
				if (c == null) {
					c = new Config();
					published = c;
				}
			}
		}
		return c;
	}

	static synchronized Config locked() {
		if (locked == null) {
			locked = new Config();
		}
		return locked;
	}

	static class Holder {
		static final Config instance = new Config();
	}

	static void use() {
		int n = naive().size + checked().size + published().size + locked().size + Holder.instance.size;
		System.out.println(n);
	}

	public static void main(String[] args) {
		new Thread(Singletons::use).start();
		new Thread(Singletons::use).start();
	}
}
