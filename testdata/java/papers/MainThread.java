// RacerD, figure 1: the main thread writes with the lock and reads without it,
// others read with it. The additions below the line break that.
public class MainThread {
	private int count;
	private int broken;

	void writeOnMain() {
		synchronized (this) {
			count = 1;
			broken = 1;
		}
	}

	int readOnMain() {
		return count + broken; // want race "broken"
	}

	synchronized int readElsewhere() {
		return count;
	}

	synchronized void writeElsewhere() {
		broken = 2;
	}

	int readUnlocked() {
		return broken; // want race "broken"
	}

	public static void main(String[] args) {
		MainThread m = new MainThread();
		new Thread(() -> {
			m.readElsewhere();
			m.writeElsewhere();
			m.readUnlocked();
		}).start();
		m.writeOnMain();
		m.readOnMain();
	}
}
