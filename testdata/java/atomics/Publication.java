// Objects that are written before they are published through a volatile field are
// safe to read; through a plain field the reference itself is a race. Final fields
// are frozen when the constructor ends.
public class Publication {
	static class Point {
		final int x;
		int y;

		Point(int x, int y) {
			this.x = x;
			this.y = y;
		}
	}

	static volatile Point safe;
	static Point unsafe;

	public static void main(String[] args) {
		new Thread(() -> {
			safe = new Point(1, 2);
			unsafe = new Point(3, 4); // want race "unsafe"
		}).start();
		Point p = safe;
		if (p != null) {
			System.out.println(p.x + p.y);
		}
		Point q = unsafe;
		if (q != null) {
			System.out.println(q.x);
		}
	}
}
