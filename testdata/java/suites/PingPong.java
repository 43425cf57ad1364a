// Two players share a ball: one nulls the reference while the other uses it.
public class PingPong {
	static class Ball {
		int hits;

		void hit() {
			hits++; // want race "hits"
		}
	}

	Ball ball = new Ball();

	void play() {
		Ball b = ball;
		ball = null; // want race "ball"
		if (b != null) {
			b.hit();
		}
		ball = b;
	}

	public static void main(String[] args) {
		PingPong p = new PingPong();
		new Thread(p::play).start();
		new Thread(p::play).start();
	}
}
