// Fork and join: halves of an array are apart, a shared field is not.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

public class ForkJoin extends RecursiveTask<Integer> {
	static int calls;
	private final int[] data;
	private final int from, to;
	private int partial;

	ForkJoin(int[] data, int from, int to) {
		this.data = data;
		this.from = from;
		this.to = to;
	}

	@Override
	protected Integer compute() {
		calls++; // want race "calls"
		if (to - from < 10) {
			for (int i = from; i < to; i++) {
				partial += data[i];
			}
			return partial;
		}
		int mid = (from + to) / 2;
		ForkJoin left = new ForkJoin(data, from, mid);
		ForkJoin right = new ForkJoin(data, mid, to);
		left.fork();
		return right.compute() + left.join();
	}

	// Parts of parts are over when the whole is, and so are those of an action;
	// whoever does not wait for a part lets it run on.
	static class Whole extends RecursiveAction {
		static int configured, last, left, started;
		private final int size;

		Whole(int size) {
			this.size = size;
		}

		@Override
		protected void compute() {
			if (size + configured < 10) {
				last = size; // want race "last"
				return;
			}
			if (size == 11) {
				new Lost().fork();
			}
			invokeAll(new Whole(size / 2), new Whole(size / 2));
			Whole half = new Whole(size / 2);
			half.fork();
			left = size; // want race "left"
			half.join();
		}
	}

	static class Lost extends RecursiveAction {
		static int runs;

		@Override
		protected void compute() {
			runs++; // want race "runs"
		}
	}

	public static void main(String[] args) {
		int[] data = new int[100];
		data[5] = 1;
		System.out.println(new ForkJoinPool().invoke(new ForkJoin(data, 0, data.length)));
		Whole.configured = 1;
		ForkJoinPool.commonPool().invoke(new Whole(1000));
		System.out.println(Whole.last + Whole.left);
		Whole.configured = 2; // want race fp "configured"
		new ForkJoinPool().invoke(new Whole(1000));
		Lost.runs = 0;
	}
}
