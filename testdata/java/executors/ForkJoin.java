// Fork and join: halves of an array are apart, a shared field is not.
import java.util.concurrent.ForkJoinPool;
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

	public static void main(String[] args) {
		int[] data = new int[100];
		data[5] = 1;
		System.out.println(new ForkJoinPool().invoke(new ForkJoin(data, 0, data.length)));
	}
}
