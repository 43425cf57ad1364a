// Locks that are not what they seem: one made anew for each call, a boxed number
// that changes, a field that is assigned, one for each instance.
public class WrongObjects {
	int fresh, boxed, moved, each;
	Integer count = 0;
	Object lock = new Object();
	static int shared;

	void fresh() {
		Object mine = new Object();
		synchronized (mine) {
			fresh++; // want race "fresh"
		}
	}

	void boxed() {
		synchronized (count) {
			count++; // want race "count"
			boxed++; // want race "boxed"
		}
	}

	void moved() {
		synchronized (lock) {
			lock = new Object(); // want race "lock"
			moved++; // want race "moved"
		}
	}

	synchronized void each() {
		shared++; // want race "shared"
	}

	void all() {
		fresh();
		boxed();
		moved();
	}

	public static void main(String[] args) {
		WrongObjects w = new WrongObjects();
		new Thread(w::all).start();
		new Thread(w::all).start();
		new Thread(new WrongObjects()::each).start();
		new Thread(new WrongObjects()::each).start();
	}
}
