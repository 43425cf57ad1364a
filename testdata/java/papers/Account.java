// rccjava, section 2: a bank account without and with synchronisation, and with
// the lock taken by the caller.
public class Account {
	int racy, safe, required;

	void depositRacy(int x) {
		racy += x; // want race "racy"
	}

	synchronized void depositSafe(int x) {
		safe += x;
	}

	// To be called with the lock of this.
	void depositRequired(int x) {
		required += x;
	}

	public static void main(String[] args) {
		Account a = new Account();
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				a.depositRacy(10);
				a.depositSafe(10);
				synchronized (a) {
					a.depositRequired(10);
				}
			}).start();
		}
	}
}
