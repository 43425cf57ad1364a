// Swing: what runs in the event thread is in order with itself, not with others.
import javax.swing.JButton;
import javax.swing.SwingUtilities;

public class Window {
	static int shown, clicks, worked;

	public static void main(String[] args) {
		SwingUtilities.invokeLater(() -> {
			shown++;
			clicks = 0;
		});
		SwingUtilities.invokeLater(() -> shown--);
		JButton b = new JButton();
		b.addActionListener(e -> clicks++);
		b.addActionListener(e -> new Thread(() -> worked++).start()); // want race "worked"
		SwingUtilities.invokeLater(() -> worked = 0);
	}
}
