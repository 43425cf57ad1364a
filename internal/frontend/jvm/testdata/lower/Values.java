// Longs take two words of the stack, and dup2_x1 and friends move words; what
// meets with different types is an Object; a boolean is the condition of its if.
class Values {
	long total;
	long[] cells = new long[2];
	static final Values ONE = new Values();
	static int count;

	long words(long by) {
		total += by;
		cells[1] += by;
		return cells[1]++ + total--;
	}

	Object meet(boolean first, String s, int[] a) {
		Object o = first ? s : a;
		return o;
	}

	String text(int n, Object o) {
		return "n=" + n + o;
	}

	static int choose(int k) {
		switch (k) {
		case 1:
			return count;
		case 7:
			count++;
		default:
			return Integer.MAX_VALUE;
		}
	}

	int[][] grid(int n) {
		int[][] g = new int[n][3];
		g[0][1] = g[1].clone().length;
		return g;
	}
}
