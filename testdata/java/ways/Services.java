// One class hosts services of several kinds. A host tells its service to set
// itself up, starts a thread for it, and that starts others. The thread of the
// first host runs when the second is made, but knows nothing of it.
public class Services {
	interface Service {
		void init(String[] args);

		void open();

		void listen();
	}

	static class Host implements Runnable {
		final Service service;

		Host(Service service, String[] args) {
			this.service = service;
			service.init(args);
		}

		void start() {
			service.open();
			new Thread(this).start();
		}

		@Override
		public void run() {
			service.listen();
		}
	}

	static class Mail implements Service {
		int port, queue, late;

		@Override
		public void init(String[] args) {
			port = args.length;
		}

		@Override
		public void open() {
			queue = port;
		}

		@Override
		public void listen() {
			System.out.println(port + queue + late);
		}
	}

	static class Web implements Service {
		int port, socket, name, late;

		@Override
		public void init(String[] args) {
			port = args.length;
			name = 1;
		}

		@Override
		public void open() {
			socket = port;
		}

		@Override
		public void listen() {
			while (socket != 0) {
				Request r = new Request(this);
				r.start();
			}
		}
	}

	static class Request implements Runnable {
		private final Web web;
		private final Thread thread;

		Request(Web web) {
			this.web = web;
			thread = new Thread(this);
		}

		void start() {
			thread.start();
		}

		@Override
		public void run() {
			System.out.println(web.name + web.late);
		}
	}

	// A service that is opened again while its thread works.
	static class Again implements Service {
		int port, socket;

		@Override
		public void init(String[] args) {
			port = args.length;
		}

		@Override
		public void open() {
			socket = port; // want race "socket"
		}

		@Override
		public void listen() {
			System.out.println(port + socket);
		}
	}

	// A service that another thread gets to know while it is set up.
	static class Known implements Service {
		static volatile Known last;

		int port;

		@Override
		public void init(String[] args) {
			last = this;
			port = args.length; // want race "port"
		}

		@Override
		public void open() {
		}

		@Override
		public void listen() {
			System.out.println(port);
		}
	}

	public static void main(String[] args) {
		Mail m = new Mail();
		Host mail = new Host(m, args);
		mail.start();
		m.late = 1; // want race "late"
		Web w = new Web();
		Host web = new Host(w, args);
		web.start();
		w.late = 1; // want race "late"
		Host again = new Host(new Again(), args);
		again.start();
		again.start();
		new Thread(() -> {
			Known k = Known.last;
			if (k != null) {
				System.out.println(k.port);
			}
		}).start();
		Host known = new Host(new Known(), args);
		known.start();
	}
}
