// rccjava, figure 2: all nodes of a list are protected by the dictionary they
// belong to.
public class Dictionary {
	static class Node {
		final String key;
		Object value;
		Node next;

		Node(String key, Object value, Node next) {
			this.key = key;
			this.value = value;
			this.next = next;
		}

		void update(String k, Object v) {
			if (k.equals(key)) {
				value = v;
			} else if (next != null) {
				next.update(k, v);
			}
		}
	}

	private Node head;

	synchronized void put(String k, Object v) {
		if (contains(k)) {
			head.update(k, v);
		} else {
			head = new Node(k, v, head);
		}
	}

	synchronized boolean contains(String k) {
		for (Node n = head; n != null; n = n.next) {
			if (k.equals(n.key)) {
				return true;
			}
		}
		return false;
	}

	public static void main(String[] args) {
		Dictionary d = new Dictionary();
		new Thread(() -> d.put("a", 1)).start();
		new Thread(() -> d.put("b", 2)).start();
	}
}
