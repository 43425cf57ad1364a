// Equal string literals and class objects are the same lock.
public class Interned {
	int n;

	void first() {
		synchronized ("lock") {
			n++;
		}
	}

	void second() {
		synchronized ("lock") {
			n--;
		}
	}

	public static void main(String[] args) {
		Interned i = new Interned();
		new Thread(i::first).start();
		new Thread(i::second).start();
	}
}
