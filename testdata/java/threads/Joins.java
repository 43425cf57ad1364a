// What is done before the start of a thread, and after a join, is in order with
// the thread. Between the two it is not.
public class Joins {
	int before, between, after, late;

	public static void main(String[] args) throws InterruptedException {
		Joins j = new Joins();
		j.before = 1;
		Thread t = new Thread(() -> {
			j.before++;
			j.between++; // want race "between"
			j.after++;
			j.late++; // want race "late"
		});
		t.start();
		j.between = 2;
		t.join(10);
		j.late = 3;
		t.join();
		j.after = 4;
	}
}
