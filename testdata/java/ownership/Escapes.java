// The object escapes from its own constructor: the thread it starts sees it while
// it is being made.
public class Escapes {
	int early, last;

	Escapes() {
		early = 1;
		new Thread(this::run).start();
		last = 2; // want race "last"
	}

	void run() {
		System.out.println(early + last);
	}

	public static void main(String[] args) {
		new Escapes();
	}
}
