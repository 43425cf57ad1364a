// Static fields, and class initialisation, which is complete before anybody uses
// the class.
public class Statics {
	static int counter;
	static final int[] table = fill();
	static String late;

	static int[] fill() {
		int[] t = new int[10];
		t[3] = 7;
		return t;
	}

	public static void main(String[] args) {
		new Thread(() -> {
			counter++; // want race "counter"
			System.out.println(table[3]);
			System.out.println(Holder.instance.n);
			System.out.println(late); // want race "late"
		}).start();
		counter = 2;
		System.out.println(table[3]);
		System.out.println(Holder.instance.n);
		late = "set";
	}

	static class Holder {
		static final Holder instance = new Holder();
		int n = 4;
	}
}
