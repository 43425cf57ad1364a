// One task object given to two threads is shared by them.
public class SharedTask implements Runnable {
	int n;

	public void run() {
		n++; // want race "n"
	}

	public static void main(String[] args) {
		SharedTask task = new SharedTask();
		new Thread(task).start();
		new Thread(task).start();
	}
}
