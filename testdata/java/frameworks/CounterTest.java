// Tests run one after the other; what they start does not.
public class CounterTest {
	private int n, racy;

	@Test
	public void first() throws InterruptedException {
		Thread t = new Thread(() -> n++);
		t.start();
		t.join();
		n++;
	}

	@Test
	public void second() {
		n = 0;
		new Thread(() -> racy++).start(); // want race "racy"
		racy = 1;
	}
}
