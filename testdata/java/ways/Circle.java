import java.util.ArrayList;
import java.util.List;

// Layers set their fields by events that go round through all of them. Which layer
// passes an event to which is not known, but only those who make an event of a kind
// call into the circle with it: what is set by an event that main sends before the
// one that starts the worker is set before the worker begins.
public class Circle {
	static class Event {
		static final int ADDRESS = 1, START = 2, RENAME = 3, TICK = 4;
		static final Event TICKING = new Event(TICK, null);

		private final int kind;
		private final Object argument;

		Event(int kind, Object argument) {
			this.kind = kind;
			this.argument = argument;
		}

		int kind() {
			return kind;
		}
	}

	static class Layer {
		Layer next;

		void down(Event e) {
			if (next != null) {
				next.down(e);
			}
		}
	}

	static class Named extends Layer {
		Object address, name;
		int ticks;

		void down(Event e) {
			switch (e.kind()) {
			case Event.ADDRESS:
				address = e.argument;
				break;
			case Event.RENAME:
				name = e.argument; // want race "name"
				break;
			case Event.TICK:
				System.out.println(address);
				System.out.println(name);
				ticks++; // want race "ticks"
				break;
			}
			next.down(e);
		}
	}

	static class Worker extends Layer implements Runnable {
		Layer top;

		void down(Event e) {
			if (e.kind() == Event.START) {
				new Thread(this).start();
			}
			super.down(e);
		}

		public void run() {
			top.down(Event.TICKING);
		}
	}

	final List<Layer> layers = new ArrayList<>();

	void send(Event e) {
		layers.get(0).down(e);
	}

	public static void main(String[] args) {
		Circle c = new Circle();
		Worker w = new Worker();
		c.layers.add(new Named());
		c.layers.add(w);
		c.layers.add(new Layer());
		for (int i = 0; i + 1 < c.layers.size(); i++) {
			c.layers.get(i).next = c.layers.get(i + 1);
		}
		w.top = c.layers.get(0);
		c.send(new Event(Event.ADDRESS, "here"));
		c.send(new Event(Event.START, null));
		c.send(new Event(Event.RENAME, "other"));
		c.send(Event.TICKING);
	}
}
