// ECHO, figure 1: a vector of our own, whose methods are not synchronised, and an
// object in it whose year is changed while another thread prints it.
public class Conferences {
	static class Vec {
		final Object[] elems = new Object[100];
		int count;

		int size() {
			return count; // want race "count"
		}

		void add(Object e) {
			elems[count++] = e; // want race "elems"
		}

		Object get(int i) {
			return elems[i];
		}
	}

	static class Conference {
		final String name;
		int year;

		Conference(String name, int year) {
			this.name = name;
			this.year = year;
		}

		void incrementYear() {
			year++; // want race "year"
		}

		@Override
		public String toString() {
			return name + year;
		}
	}

	static class Printer extends Thread {
		final Vec v;

		Printer(Vec v) {
			this.v = v;
		}

		@Override
		public void run() {
			for (int i = 0; i < v.size(); i++) {
				Object p = v.get(i);
				System.out.println(p.toString());
			}
		}
	}

	public static void main(String[] args) {
		Conference c1 = new Conference("first", 2015);
		Conference c3 = new Conference("second", 2016);
		Vec v = new Vec();
		v.add(c1);
		new Printer(v).start();
		v.add(c3);
		c3.incrementYear();
	}
}
