// Monitors: a block with the handler that javac writes, which covers itself; a
// synchronized method; a static one, which locks the object of the class; a
// string literal as lock.
class Monitors {
	int n;
	final Object lock = new Object();

	void block() {
		synchronized (lock) {
			n++;
		}
	}

	synchronized int method(boolean fail) {
		if (fail) {
			throw new IllegalStateException();
		}
		return n;
	}

	static synchronized void ofClass() {
	}

	void literal() {
		synchronized ("lock") {
			n = 1;
		}
	}
}
