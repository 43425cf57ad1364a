// A value that is made under a lock when it is first asked for, and read without the
// lock by those who have looked under it themselves; by those who have not, it is a
// race, and so it is if the value is only sometimes made.
public class Lazy {
	static class Config {
		private String name, other, third;
		private boolean wanted;

		String name() {
			synchronized (this) {
				if (name == null) {
					name = Integer.toString(hashCode());
				}
			}
			return name;
		}

		String other() {
			loadOther();
			return other;
		}

		private synchronized void loadOther() {
			if (other != null) {
				return;
			}
			if (hashCode() > 0) {
				makeOther();
			} else {
				other = "none";
			}
		}

		private void makeOther() {
			other = Integer.toString(hashCode());
		}

		String third() {
			synchronized (this) {
				if (third == null && wanted) {
					third = Integer.toString(hashCode()); // want race "third"
				}
			}
			return third;
		}

		synchronized void want() {
			wanted = true;
		}
	}

	static class Checked {
		private String name;

		String name() {
			if (name == null) {
				synchronized (this) {
					if (name == null) {
						name = Integer.toString(hashCode()); // want race "name"
					}
				}
			}
			return name;
		}
	}

	static final Config config = new Config();
	static final Checked checked = new Checked();

	static void use() {
		System.out.println(config.name() + config.other() + config.third() + checked.name());
		config.want();
	}

	public static void main(String[] args) {
		new Thread(Lazy::use).start();
		use();
	}
}
