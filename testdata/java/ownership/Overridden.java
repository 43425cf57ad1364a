// Constructors that call methods which subclasses override: the object is still
// nobody else's, as long as none of them hands it on.
abstract class Shape {
    private String label = prefix() + "#";
    int corners;

    Shape() {
        corners = count();
    }

    abstract String prefix();

    abstract int count();

    String text() {
        return label + corners;
    }
}

class Square extends Shape {
    String prefix() {
        return "square";
    }

    int count() {
        return 4;
    }
}

class Triangle extends Shape {
    String prefix() {
        return "triangle";
    }

    int count() {
        return 3;
    }
}


class Overridden {
    static class Printer extends Thread {
        private final Shape shape;

        Printer(Shape shape) {
            this.shape = shape;
        }

        public void run() {
            System.out.println(shape.text());
        }
    }

    public static void main(String[] args) {
        new Printer(new Square()).start();
        new Printer(new Triangle()).start();
        new Printer(new Square()).start();
    }
}
