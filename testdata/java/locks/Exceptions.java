// A monitor is released when an exception leaves it, and held in handlers inside.
public class Exceptions {
	int inside, handler, outside;

	void work(String s) {
		try {
			synchronized (this) {
				try {
					inside += Integer.parseInt(s);
				} catch (NumberFormatException e) {
					handler++;
				}
				if (inside > 10) {
					throw new IllegalStateException();
				}
			}
		} catch (IllegalStateException e) {
			outside++; // want race "outside"
		}
	}

	public static void main(String[] args) {
		Exceptions e = new Exceptions();
		new Thread(() -> e.work("1")).start();
		new Thread(() -> e.work("x")).start();
	}
}
