// An access is to owned memory if both arguments are (RacerD, figure 8).
public class OwnedIf {
	int f;

	static void touch(OwnedIf a, OwnedIf b, boolean first) {
		OwnedIf local = first ? a : b;
		local.f = 1; // want race "f"
	}

	static final OwnedIf shared = new OwnedIf();

	static void work() {
		touch(new OwnedIf(), new OwnedIf(), true);
		touch(shared, new OwnedIf(), true);
	}

	public static void main(String[] args) {
		new Thread(OwnedIf::work).start();
		new Thread(OwnedIf::work).start();
	}
}
