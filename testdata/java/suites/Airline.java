// Seats are sold by several threads; the check of the limit is not locked.
public class Airline implements Runnable {
	static int sold;
	static boolean stop;
	static final int max = 10;
	static int safeSold;

	public void run() {
		sold++; // want race "sold"
		if (sold > max) {
			stop = true; // want race "stop"
		}
		synchronized (Airline.class) {
			safeSold++;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Thread[] sellers = new Thread[20];
		for (int i = 0; i < sellers.length && !stop; i++) {
			sellers[i] = new Thread(new Airline());
			sellers[i].start();
		}
		for (Thread t : sellers) {
			if (t != null) {
				t.join();
			}
		}
		System.out.println(safeSold); // want race fp "safeSold"
	}
}
