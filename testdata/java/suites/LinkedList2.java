// A linked list that two builders append to without a lock.
public class LinkedList2 {
	static class Node {
		final int value;
		Node next;

		Node(int value) {
			this.value = value;
		}
	}

	private final Node head = new Node(0);

	void append(int v) {
		Node n = head;
		while (n.next != null) {
			n = n.next;
		}
		n.next = new Node(v); // want race "next"
	}

	public static void main(String[] args) {
		LinkedList2 l = new LinkedList2();
		new Thread(() -> l.append(1)).start();
		new Thread(() -> l.append(2)).start();
	}
}
