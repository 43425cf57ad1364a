import java.util.concurrent.LinkedBlockingQueue;

// A scheduler runs before the tasks that it is given. What a task does, and what is
// started by it, comes after it was handed over, also if it was made long before, and
// also if tasks hand over others.
public class Scheduled {
	static class Wrapper implements Runnable {
		final Runnable work;

		Wrapper(Runnable work) {
			this.work = work;
		}

		public void run() {
			work.run();
		}
	}

	static class Scheduler implements Runnable {
		final LinkedBlockingQueue<Wrapper> queue = new LinkedBlockingQueue<>();

		void schedule(Runnable work) {
			queue.offer(new Wrapper(work));
		}

		public void run() {
			while (true) {
				Wrapper next = queue.poll();
				if (next != null) {
					next.run();
				}
			}
		}
	}

	static class Service {
		int size, limit, late;
		final Runnable task = new Check(this);
		final Scheduler scheduler;

		Service(Scheduler scheduler) {
			this.scheduler = scheduler;
		}

		void start() {
			limit = 4;
			scheduler.schedule(task);
			late = 5; // want race "late"
		}

		void deliver() {
			System.out.println(size);
			System.out.println(limit);
			if (late > 0) {
				scheduler.schedule(task);
				scheduler.schedule(new Check(this));
			}
		}
	}

	static class Check implements Runnable {
		final Service service;

		Check(Service service) {
			this.service = service;
		}

		public void run() {
			new Thread(new Delivery(service)).start();
		}
	}

	static class Delivery implements Runnable {
		final Service service;

		Delivery(Service service) {
			this.service = service;
		}

		public void run() {
			service.deliver();
		}
	}

	static class Beat implements Runnable {
		public void run() {
			System.out.println("beat");
		}
	}

	public static void main(String[] args) {
		Scheduler scheduler = new Scheduler();
		new Thread(scheduler).start();
		Service service = new Service(scheduler);
		scheduler.schedule(new Beat());
		service.size = 3;
		service.start();
	}
}
