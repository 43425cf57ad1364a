// Wait and notify: a flag under the lock orders what was done before it was set.
// Without the flag nothing does.
public class WaitNotify {
	private final Object lock = new Object();
	private boolean ready;
	int data, loose;

	void produce() {
		data = 42;
		loose = 1; // want race "loose"
		synchronized (lock) {
			ready = true;
			lock.notifyAll();
		}
	}

	int consume() throws InterruptedException {
		synchronized (lock) {
			while (!ready) {
				lock.wait();
			}
		}
		return data;
	}

	public static void main(String[] args) throws InterruptedException {
		WaitNotify w = new WaitNotify();
		new Thread(w::produce).start();
		w.loose = 2;
		System.out.println(w.consume());
	}
}
