import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import javax.xml.parsers.SAXParser;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

// What the program hands to the library as one of the library's own types may be
// called by it, in the same thread and under the same locks.
public class Handed {
	static class Zeros extends InputStream {
		private int count;

		@Override
		public int read() {
			return count++ < 100 ? 0 : -1; // want race "count"
		}
	}

	static class Elements extends DefaultHandler {
		int open;
		int text;

		@Override
		public void startElement(String uri, String local, String name, Attributes attributes) {
			open++; // want race "open"
		}

		@Override
		public void characters(char[] chars, int start, int length) {
			synchronized (this) {
				text += length;
			}
		}
	}

	static class Sink extends OutputStream {
		int bytes;
		int unused;

		@Override
		public void write(int b) {
			bytes++;
		}

		void own() {
			unused++;
		}
	}

	static void parse(SAXParser parser, InputStream in, Elements elements) {
		try {
			parser.parse(in, elements);
		} catch (Exception e) {
			throw new RuntimeException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		Zeros zeros = new Zeros();
		Elements elements = new Elements();
		Sink sink = new Sink();
		SAXParser parser = javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser();
		for (int i = 0; i < 2; i++) {
			new Thread(() -> {
				new BufferedReader(new InputStreamReader(zeros));
				parse(parser, InputStream.nullInputStream(), elements);
				synchronized (sink) {
					new PrintStream(sink);
				}
			}).start();
		}
	}
}
