// A builder returns itself: it stays its maker's own (RacerD, figure 7). A shared
// one does not.
public class Builder {
	private int x, y;

	static Builder make() {
		return new Builder();
	}

	Builder x(int x) {
		this.x = x; // want race "x"
		return this;
	}

	Builder y(int y) {
		this.y = y;
		return this;
	}

	int build() {
		return x + y;
	}

	static void own() {
		System.out.println(make().x(1).y(2).build());
	}

	public static void main(String[] args) {
		new Thread(Builder::own).start();
		new Thread(Builder::own).start();
		Builder shared = make();
		new Thread(() -> shared.x(3)).start();
		shared.x(4);
	}
}
