// A constructor that is only told not to start anything does not, and whoever is
// told to do both does both.
public class Arguments {
	static class Server {
		int limit, used;

		Server(boolean start) {
			if (start) {
				run();
			}
		}

		void run() {
			new Thread(() -> {
				used = limit;
			}).start();
		}
	}

	static int left, right;

	static void step(boolean first) {
		if (first) {
			left++;
		} else {
			right++; // want race "right"
		}
	}

	public static void main(String[] args) {
		Server s = new Server(false);
		s.limit = 10;
		s.run();

		new Thread(() -> step(false)).start();
		step(true);
		step(false);
	}
}
