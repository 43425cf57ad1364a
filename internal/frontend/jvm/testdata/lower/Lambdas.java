import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

// Lambdas and references to methods of every kind.
class Lambdas {
	int n;

	Runnable captures(int by) {
		return () -> n += by;
	}

	Supplier<String> bound() {
		return this::toString;
	}

	Function<Object, String> unbound() {
		return Object::toString;
	}

	Supplier<Lambdas> constructor() {
		return Lambdas::new;
	}

	Function<String, Integer> ofStatic() {
		return Integer::valueOf;
	}

	IntFunction<int[]> array() {
		return int[]::new;
	}
}
