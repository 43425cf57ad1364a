// ThreadLocal gives each thread its own object.
import java.text.SimpleDateFormat;
import java.util.Date;

public class Locals {
	static final ThreadLocal<StringBuilder> builder = ThreadLocal.withInitial(StringBuilder::new);
	static final ThreadLocal<SimpleDateFormat> format = new ThreadLocal<SimpleDateFormat>() {
		@Override
		protected SimpleDateFormat initialValue() {
			return new SimpleDateFormat("yyyy");
		}
	};
	static final SimpleDateFormat shared = new SimpleDateFormat("yyyy");

	static void use() {
		builder.get().append("x");
		format.get().format(new Date());
		shared.format(new Date()); // want race "shared"
	}

	public static void main(String[] args) {
		new Thread(Locals::use).start();
		new Thread(Locals::use).start();
	}
}
