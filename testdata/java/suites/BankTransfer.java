// Transfers lock one of the two accounts, or both.
public class BankTransfer {
	static class Account {
		int amount, both;
		final String name;

		Account(String name) {
			this.name = name;
		}

		synchronized void transfer(Account to, int n) {
			amount -= n;
			to.amount += n; // want race "amount"
		}

		void transferBoth(Account to, int n) {
			Account first = name.compareTo(to.name) < 0 ? this : to;
			Account second = first == this ? to : this;
			synchronized (first) {
				synchronized (second) {
					both -= n;
					to.both += n;
				}
			}
		}
	}

	public static void main(String[] args) {
		Account a = new Account("a");
		Account b = new Account("b");
		new Thread(() -> {
			a.transfer(b, 1);
			a.transferBoth(b, 1);
		}).start();
		new Thread(() -> {
			b.transfer(a, 1);
			b.transferBoth(a, 1);
		}).start();
	}
}
