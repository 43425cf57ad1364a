// What a static initialiser writes is there for everybody who gets to the fields,
// also for methods of the class that run in a thread which was handed an object.
class Initialisers {
    static class Settings {
        static boolean on = Boolean.getBoolean("on");
        static String name;
        static int uses;

        static {
            if (on) {
                name = System.getProperty("name");
            }
        }

        boolean isOn() {
            uses++; // want race "uses"
            return on && name != null;
        }
    }

    static class Worker extends Thread {
        private final Settings settings;

        Worker(Settings settings) {
            this.settings = settings;
        }

        public void run() {
            settings.isOn();
        }
    }

    static class Maker extends Thread {
        public void run() {
            new Worker(new Settings()).start();
        }
    }

    public static void main(String[] args) {
        new Maker().start();
        new Maker().start();
    }
}
