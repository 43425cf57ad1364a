// A counter without a lock beside one with it, read at the end after joins.
import java.util.ArrayList;
import java.util.List;

public class Lottery {
	private int drawn, safe;
	private final List<Integer> winners = new ArrayList<>();

	void draw(int n) {
		drawn++; // want race "drawn"
		synchronized (winners) {
			winners.add(n);
			safe++;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Lottery l = new Lottery();
		Thread a = new Thread(() -> l.draw(1));
		Thread b = new Thread(() -> l.draw(2));
		a.start();
		b.start();
		a.join();
		b.join();
		System.out.println(l.drawn + l.safe + l.winners.size());
	}
}
