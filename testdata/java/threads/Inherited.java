// The code that runs is found along the superclasses; fields of a superclass are
// those of the object.
public class Inherited {
	static abstract class Base extends Thread {
		protected int steps;
		protected int safe;

		@Override
		public void run() {
			step();
		}

		abstract void step();

		synchronized void count() {
			safe++;
		}
	}

	static class Derived extends Base {
		void step() {
			steps++; // want race "steps"
			count();
		}
	}

	public static void main(String[] args) {
		Derived d = new Derived();
		d.start();
		d.steps = 1;
		d.count();
	}
}
