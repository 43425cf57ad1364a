// A volatile flag that is waited for orders what was written before it was set; a
// plain one does not, and is a race itself.
import java.util.concurrent.atomic.AtomicBoolean;

public class Flags {
	static volatile boolean ready;
	static boolean plain;
	static final AtomicBoolean atomic = new AtomicBoolean();
	static int viaVolatile, viaPlain, viaAtomic;

	public static void main(String[] args) {
		new Thread(() -> {
			viaVolatile = 1;
			ready = true;
			viaPlain = 1; // want race "viaPlain"
			plain = true; // want race "plain"
			viaAtomic = 1;
			atomic.set(true);
		}).start();
		while (!ready) {
			Thread.onSpinWait();
		}
		viaVolatile++;
		while (!plain) {
			Thread.onSpinWait();
		}
		viaPlain++;
		while (!atomic.get()) {
			Thread.onSpinWait();
		}
		viaAtomic++;
	}
}
