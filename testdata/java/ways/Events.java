// A layer does what the kind of an event says, and passes the event on. Which
// branch of it runs is decided by who made the event.
public class Events {
	static class Event {
		static final int CONFIG = 1, DATA = 2;
		private final int type;

		Event(int type) {
			this.type = type;
		}

		int getType() {
			return type;
		}
	}

	static class Layer {
		Layer next;
		int configured, counted, any;

		void handle(Event e) {
			switch (e.getType()) {
			case Event.CONFIG:
				configured++;
				break;
			case Event.DATA:
				counted++; // want race "counted"
				break;
			}
			any++; // want race "any"
			if (next != null) {
				next.handle(e);
			}
		}
	}

	public static void main(String[] args) {
		Layer bottom = new Layer();
		new Thread(() -> bottom.handle(new Event(Event.DATA))).start();
		bottom.handle(new Event(Event.CONFIG));

		Layer busy = new Layer();
		new Thread(() -> busy.handle(new Event(Event.DATA))).start();
		busy.handle(new Event(Event.DATA));
	}
}
