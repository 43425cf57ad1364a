// An object made for a task and given to it alone, and results that come back.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Handed {
	static class Request {
		int id;
		int touched;
	}

	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		Request last = null;
		List<Future<Request>> done = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			Request r = new Request();
			r.id = i;
			done.add(pool.submit(() -> {
				r.id++; // want race fp "id"
				r.touched++; // want race "touched"
				return r;
			}));
			last = r;
		}
		last.touched = 1;
		for (Future<Request> f : done) {
			f.get().id++;
		}
	}
}
