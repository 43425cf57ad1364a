// Each object has its lock and its data; the owner of the lock is the object whose
// field is touched, or it is not.
import java.util.ArrayList;
import java.util.List;

public class PerObject {
	static class Cell {
		int own;
		int foreign;

		synchronized void own() {
			own++;
		}

		synchronized void foreign(Cell other) {
			other.foreign++; // want none fn "foreign"
		}
	}

	public static void main(String[] args) {
		List<Cell> cells = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			cells.add(new Cell());
		}
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				for (Cell c : cells) {
					c.own();
					c.foreign(cells.get(0));
				}
			}).start();
		}
	}
}
