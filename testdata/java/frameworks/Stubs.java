// What the programs here use of frameworks: the shapes of their classes.
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

class Stubs {
}

@Retention(RetentionPolicy.RUNTIME)
@interface Scheduled {
	long fixedRate();
}

@Retention(RetentionPolicy.RUNTIME)
@interface GetMapping {
	String value();
}

@Retention(RetentionPolicy.RUNTIME)
@interface Test {
}
