// O2, figure 2: two threads of one class with operators of their own. What each
// reaches through its own operator is apart; the shared state is not.
public class Origins {
	static class Shared {
		int shared;
	}

	static abstract class Op {
		int own;

		abstract void act(Shared s);
	}

	static class Add extends Op {
		void act(Shared s) {
			own++;
			s.shared++; // want race "shared"
		}
	}

	static class Drop extends Op {
		void act(Shared s) {
			own--;
			s.shared--;
		}
	}

	static class T extends Thread {
		private final Shared s;
		private final Op op;

		T(Shared s, Op op) {
			this.s = s;
			this.op = op;
		}

		@Override
		public void run() {
			op.act(s);
		}
	}

	public static void main(String[] args) {
		Shared s = new Shared();
		T a = new T(s, new Add());
		T b = new T(s, new Drop());
		a.start();
		b.start();
	}
}
