// Shutdown hooks, finalisers of the runtime and handlers of uncaught exceptions
// run in threads of their own.
public class Hooks {
	static int hooked;
	static int caught;

	public static void main(String[] args) {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> hooked++)); // want race "hooked"
		Thread.setDefaultUncaughtExceptionHandler((t, e) -> caught++); // want race "caught"
		hooked = 1;
		caught = 1;
	}
}
