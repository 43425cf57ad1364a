import java.util.ArrayList;
import java.util.List;

// Layers that hand events on to each other are one knot of calls. An event of one
// kind starts nothing that events of other kinds start.
public class Layers {
	static class Event {
		static final int CONFIGURE = 1, START = 2;

		private final int kind;

		Event(int kind) {
			this.kind = kind;
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

	static class Quiet extends Layer {
		void down(Event e) {
			switch (e.kind()) {
			case Event.CONFIGURE:
				break;
			case Event.START:
				System.out.println("starting");
				break;
			}
			next.down(e);
		}
	}

	static class Worker extends Layer implements Runnable {
		int size, late;

		void down(Event e) {
			switch (e.kind()) {
			case Event.START:
				new Thread(this).start();
				break;
			}
			super.down(e);
		}

		public void run() {
			System.out.println(size);
			System.out.println(late);
		}
	}

	public static void main(String[] args) {
		List<Layer> layers = new ArrayList<>();
		Worker w = new Worker();
		layers.add(new Quiet());
		layers.add(w);
		layers.add(new Layer());
		for (int i = 0; i + 1 < layers.size(); i++) {
			layers.get(i).next = layers.get(i + 1);
		}
		layers.get(0).down(new Event(Event.CONFIGURE));
		w.size = 3;
		layers.get(0).down(new Event(Event.START));
		w.late = 4; // want race "late"
	}
}
