// Peterson's algorithm with volatile flags protects the counter, by a reasoning
// that no lock shows.
public class Critical {
	static volatile boolean want0, want1;
	static volatile int turn;
	static int counter;

	public static void main(String[] args) {
		new Thread(() -> {
			want0 = true;
			turn = 1;
			while (want1 && turn == 1) {
				Thread.onSpinWait();
			}
			counter++; // want race fp "counter"
			want0 = false;
		}).start();
		new Thread(() -> {
			want1 = true;
			turn = 0;
			while (want0 && turn == 0) {
				Thread.onSpinWait();
			}
			counter++;
			want1 = false;
		}).start();
	}
}
