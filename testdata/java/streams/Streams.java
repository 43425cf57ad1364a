// The functions of a parallel stream run in several threads at once, and are over
// when the call is; those of a sequential one run in the caller.
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Streams {
	static class Part {
		int n;
	}

	static int parallel, sequential, after, mapped;

	public static void main(String[] args) {
		List<Part> parts = new ArrayList<>();
		parts.add(new Part());
		List<Integer> out = new ArrayList<>();
		parts.parallelStream().forEach(p -> {
			p.n++;
			parallel++; // want race "parallel"
			out.add(p.n); // want race "out"
		});
		parts.stream().forEach(p -> sequential++);
		IntStream.range(0, 10).parallel().map(i -> mapped++).sum(); // want race "mapped"
		parts.stream().parallel().forEach(p -> p.n = 3);
		after = parts.get(0).n;
		parts.parallelStream().map(p -> p.n).collect(Collectors.toList()).size();
		sequential++;
		parallel = 0;
	}
}
