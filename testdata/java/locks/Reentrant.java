// A monitor may be taken again by its holder; it is free after the last release.
public class Reentrant {
	int inner, after;

	synchronized void outer() {
		inner();
		inner++;
	}

	synchronized void inner() {
		inner++;
	}

	void late() {
		synchronized (this) {
			synchronized (this) {
				inner++;
			}
			inner++;
		}
		after++; // want race "after"
	}

	public static void main(String[] args) {
		Reentrant r = new Reentrant();
		new Thread(() -> {
			r.outer();
			r.late();
		}).start();
		r.outer();
		r.late();
	}
}
