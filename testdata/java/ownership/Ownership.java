// Ownership (RacerD 5.2.3): what a method has just made is its own until others can
// know of it: not when it is handed down, but when it is stored where others look.
public class Ownership {
	static class Node {
		int value, late, deep;
		Node next;

		Node() {
		}

		Node(int value) {
			this.value = value;
		}
	}

	static Node published;
	static volatile Node seen;
	private Node kept = new Node();

	static Node make() {
		Node n = new Node();
		n.value = 1;
		return n;
	}

	static void fill(Node n) {
		n.value++;
	}

	// Never published: nothing can race.
	static void local() {
		Node n = make();
		fill(n);
		n.next = new Node(3);
		n.next.value++;
	}

	// Written before it is published, and after.
	static void publish() {
		Node n = make();
		fill(n);
		n.next = new Node();
		n.next.deep = 1;
		seen = n;
		n.late++;
		n.next.deep++;
	}

	static void look() {
		Node n = seen;
		if (n != null) {
			System.out.println(n.value + n.late + n.next.deep); // want race "late" // want race "deep"
		}
	}

	// Two names of one object.
	void alias() {
		Node a = kept;
		Node b = a;
		if (b != null) {
			b.value++; // want race "value"
		}
		kept = new Node(); // want race "kept"
	}

	public static void main(String[] args) {
		new Thread(Ownership::local).start();
		new Thread(Ownership::local).start();
		new Thread(Ownership::publish).start();
		new Thread(Ownership::look).start();
		Ownership o = new Ownership();
		new Thread(o::alias).start();
		new Thread(o::alias).start();
	}
}
