// Monitors: methods and blocks, of the object and of the class, the right ones and
// the wrong ones.
public class Monitors {
	int method, block, mixed, wrong, half;
	static int ofClass, confused;
	final Object a = new Object();
	final Object b = new Object();

	synchronized void method() {
		method++;
	}

	void block() {
		synchronized (a) {
			block++;
		}
	}

	synchronized void mixedMethod() {
		mixed++;
	}

	void mixedBlock() {
		synchronized (this) {
			mixed--;
		}
	}

	void wrongA() {
		synchronized (a) {
			wrong++; // want race "wrong"
		}
	}

	void wrongB() {
		synchronized (b) {
			wrong--;
		}
	}

	synchronized void halfWrite() {
		half++;
	}

	int halfRead() {
		return half; // want race "half"
	}

	static synchronized void staticMethod() {
		ofClass++;
	}

	void classBlock() {
		synchronized (Monitors.class) {
			ofClass--;
		}
	}

	static synchronized void confusedStatic() {
		confused++; // want race "confused"
	}

	synchronized void confusedInstance() {
		confused--;
	}

	void all() {
		method();
		block();
		mixedMethod();
		mixedBlock();
		wrongA();
		wrongB();
		halfWrite();
		halfRead();
		staticMethod();
		classBlock();
		confusedStatic();
		confusedInstance();
	}

	public static void main(String[] args) {
		Monitors m = new Monitors();
		new Thread(m::all).start();
		new Thread(m::all).start();
	}
}
