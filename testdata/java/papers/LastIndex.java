// rccjava, figure 5: one of two overloads forgets the lock of the vector.
public class LastIndex {
	Object[] data = new Object[10];
	int count;

	synchronized void trim() {
		Object[] old = data;
		data = new Object[count];
		System.arraycopy(old, 0, data, 0, count);
	}

	synchronized void removeAll() {
		count = 0;
	}

	int lastIndexOf(Object o) {
		return lastIndexOf(o, count - 1); // want race "count"
	}

	synchronized int lastIndexOf(Object o, int n) {
		for (int i = n; i >= 0; i--) {
			if (o.equals(data[i])) {
				return i;
			}
		}
		return -1;
	}

	public static void main(String[] args) {
		LastIndex v = new LastIndex();
		new Thread(() -> v.lastIndexOf("x")).start();
		v.removeAll();
		v.trim();
	}
}
