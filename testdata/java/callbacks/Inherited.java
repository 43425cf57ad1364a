import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.CharBuffer;

// A method of the library that a class inherits calls those that the class
// overrides.
public class Inherited {
	static class Ones extends InputStream {
		int reads;
		int locked;

		@Override
		public int read() {
			reads++; // want race "reads"
			synchronized (this) {
				locked++;
			}
			return 1;
		}
	}

	static class Letters extends Reader {
		int reads;

		@Override
		public int read(char[] chars, int from, int length) {
			reads++;
			return length;
		}

		@Override
		public void close() {
		}
	}

	public static void main(String[] args) {
		Ones ones = new Ones();
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				Letters own = new Letters();
				try {
					ones.read(new byte[8]);
					own.read(CharBuffer.allocate(8));
				} catch (IOException e) {
					throw new RuntimeException(e);
				}
			}).start();
		}
	}
}
