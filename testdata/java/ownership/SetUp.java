// A server sets its fields and then starts who works with them. There are many
// servers, all known to a registry, and each is set up once.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SetUp {
	static final List<Server> all = Collections.synchronizedList(new ArrayList<>());

	static class Server {
		int limit, early, late;

		synchronized void start() {
			prepare();
			startWorker();
			late = 1; // want race "late"
		}

		void prepare() {
			limit = 10;
		}

		void startWorker() {
			new Worker(this).start();
		}

		synchronized void restart() {
			early++; // want race "early"
			startWorker2();
		}

		synchronized void first() {
			startWorker2();
		}

		void startWorker2() {
			new Second(this).start();
		}
	}

	static class Worker extends Thread {
		final Server server;

		Worker(Server server) {
			this.server = server;
		}

		@Override
		public void run() {
			System.out.println(server.limit + server.late);
		}
	}

	static class Second extends Thread {
		final Server server;

		Second(Server server) {
			this.server = server;
		}

		@Override
		public void run() {
			System.out.println(server.early);
		}
	}

	public static void main(String[] args) {
		for (String a : args) {
			Server s = new Server();
			all.add(s);
			s.start();
			s.first();
			s.restart();
		}
	}
}
