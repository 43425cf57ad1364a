// A constructor that hands out the object at its end: what it wrote before is
// before everything that others do with it, what it writes later is not.
class Constructors {
    static class Watcher {
        private String state;
        private int late;
        private final Thread thread;

        Watcher() {
            state = "new";
            thread = new Loop();
            thread.start();
            late = 1; // want race "late"
        }

        private class Loop extends Thread {
            public void run() {
                System.out.println(state + late);
            }
        }
    }

    static Watcher make() {
        return new Watcher();
    }

    public static void main(String[] args) {
        make();
        make();
    }
}
