// An exchanger hands objects over: the buffer that was filled is the other one's
// afterwards.
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;

public class Exchange {
	static final Exchanger<int[]> exchanger = new Exchanger<>();
	static final Phaser phaser = new Phaser(2);
	static int phase, unphased;

	public static void main(String[] args) {
		new Thread(() -> {
			phase = 1;
			unphased = 1; // want race "unphased"
			phaser.arriveAndAwaitAdvance();
		}).start();
		new Thread(() -> {
			unphased = 2;
			phaser.arriveAndAwaitAdvance();
			phase++;
		}).start();
	}
}
