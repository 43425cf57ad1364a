// Elements of arrays: the same element, elements by constant, elements by thread.
public class Arrays2 {
	public static void main(String[] args) {
		int[] same = new int[2];
		int[] apart = new int[2];
		Object[] refs = new Object[1];
		new Thread(() -> {
			same[1]++; // want race "[1]"
			apart[0] = 1;
			refs[0] = "text"; // want race "[0]"
		}).start();
		same[1] = 2;
		apart[1] = 2;
		refs[0] = null;
	}
}
