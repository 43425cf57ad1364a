// Handlers see the locals before the instruction that threw: the block is cut
// where a local that they read is assigned.
class Handlers {
	int seen;

	int local(String s) {
		int r = 0;
		try {
			r = s.length();
			r = s.indexOf('x') + r;
		} catch (RuntimeException e) {
			seen = r;
		} finally {
			seen++;
		}
		return r;
	}

	void loop(int[] a) {
		for (int i = 0; ; i++) {
			try {
				a[i] = i;
			} catch (ArrayIndexOutOfBoundsException e) {
				seen = i;
				return;
			}
		}
	}
}
