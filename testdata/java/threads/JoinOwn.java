import java.util.ArrayList;
import java.util.List;

// Whoever has joined a thread sees what it left in its own object, be it one of
// many.
public class JoinOwn {
	static class InTurns extends Thread {
		int result, early;

		@Override
		public void run() {
			result = 1;
			early = 1; // want race "early"
		}
	}

	static class Listed extends Thread {
		int result, early;

		@Override
		public void run() {
			result = 1;
			early = 1; // want race "early"
		}
	}

	static class Indexed extends Thread {
		int result;

		@Override
		public void run() {
			result = 1; // want race fp "result"
		}
	}

	static int sum;

	public static void main(String[] args) throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			InTurns t = new InTurns();
			t.start();
			sum += t.early;
			t.join();
			sum += t.result;
		}
		List<Listed> list = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Listed t = new Listed();
			list.add(t);
			t.start();
		}
		for (Listed t : list) {
			sum += t.early;
			t.join();
			sum += t.result;
		}
		// That the element is the same one when it is read again is not seen.
		Indexed[] array = new Indexed[3];
		for (int i = 0; i < 3; i++) {
			array[i] = new Indexed();
			array[i].start();
		}
		for (int i = 0; i < 3; i++) {
			array[i].join();
			sum += array[i].result;
		}
	}
}
