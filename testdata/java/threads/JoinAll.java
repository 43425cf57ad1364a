// Threads of an array, all joined: what comes after the loop is in order with all
// of them; they are not in order with each other.
public class JoinAll {
	int sum;
	int result;
	final Object lock = new Object();
	int guarded;

	void work() {
		sum++; // want race "sum"
		synchronized (lock) {
			guarded++;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		JoinAll j = new JoinAll();
		Thread[] threads = new Thread[8];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(j::work);
			threads[i].start();
		}
		for (Thread t : threads) {
			t.join();
		}
		j.result = j.guarded;
	}
}
