// What is started after the loop that joins is not joined by it.
import java.util.ArrayList;
import java.util.List;

public class JoinSome {
	static int early, late;

	public static void main(String[] args) throws InterruptedException {
		List<Thread> first = new ArrayList<>();
		List<Thread> second = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Thread t = new Thread(() -> {
				synchronized (JoinSome.class) {
					early++;
				}
			});
			first.add(t);
			t.start();
		}
		for (Thread t : first) {
			try {
				t.join();
			} catch (InterruptedException e) {
				return;
			}
		}
		early = 0;
		for (int i = 0; i < 3; i++) {
			Thread t = new Thread(() -> {
				synchronized (JoinSome.class) {
					late++;
				}
			});
			second.add(t);
			t.start();
		}
		late = 0; // want race "late"
	}
}
