// Atomic variables and volatile fields are never data races, not even when a
// volatile is incremented; plain ones beside them are.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

public class Atomics {
	static final AtomicInteger atomic = new AtomicInteger();
	static final AtomicLong wide = new AtomicLong();
	static final LongAdder adder = new LongAdder();
	static final AtomicReference<String> ref = new AtomicReference<>("");
	static final AtomicIntegerFieldUpdater<Atomics> updater = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "updated");
	static volatile int counted;
	static volatile long wideVolatile;
	static long wideField;
	volatile int updated;
	static final Atomics shared = new Atomics();
	static int plain;

	static void use() {
		atomic.incrementAndGet();
		wide.addAndGet(3);
		adder.increment();
		ref.updateAndGet(s -> s + "x");
		counted++;
		wideVolatile = 1;
		wideField = 1L << 40; // want race "wideField"
		updater.incrementAndGet(shared);
		if (atomic.compareAndSet(1, 2)) {
			plain++; // want race "plain"
		}
	}

	public static void main(String[] args) {
		new Thread(Atomics::use).start();
		new Thread(Atomics::use).start();
	}
}
