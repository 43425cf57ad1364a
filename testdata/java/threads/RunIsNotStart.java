// To call run is not to start a thread.
public class RunIsNotStart {
	static int n;

	public static void main(String[] args) {
		Thread t = new Thread(() -> n++);
		t.run();
		n++;
	}
}
