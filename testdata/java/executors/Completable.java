// Stages of a CompletableFuture come after each other; what is not joined runs
// beside the caller.
import java.util.concurrent.CompletableFuture;

public class Completable {
	static class Result {
		int value;
	}

	static int beside, joined, chained, other;

	public static void main(String[] args) {
		CompletableFuture<Result> f = CompletableFuture.supplyAsync(() -> {
			Result r = new Result();
			r.value = 1;
			chained = 1;
			beside++; // want race "beside"
			joined++;
			return r;
		});
		beside = 1;
		CompletableFuture<Void> g = f.thenAcceptAsync(r -> {
			r.value++;
			chained++;
		});
		CompletableFuture<Void> h = CompletableFuture.runAsync(() -> other++); // want race "other"
		CompletableFuture<Void> i = CompletableFuture.runAsync(() -> other--);
		f.join();
		joined = 2;
		CompletableFuture.allOf(g, h, i).join();
		other = 0;
	}
}
