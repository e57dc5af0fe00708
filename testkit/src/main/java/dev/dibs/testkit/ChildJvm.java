package dev.dibs.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jooq.SQLDialect;

/** A JVM of its own for a main class of the tests; the address of a database is the first of its arguments. */
public final class ChildJvm {

    /** How many arguments an address is. */
    public static final int ADDRESS = 4;

    private ChildJvm() {}

    /** Not started yet; what it says of failures goes to this JVM's error output. */
    public static ProcessBuilder of(Class<?> main, Address address, String... more) {
        return of(main, List.of(), address, more);
    }

    static ProcessBuilder of(Class<?> main, List<String> options, Address address, String... more) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // It lives for seconds: the optimising compiler would take more than it gives.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(
                address.url(),
                address.user(),
                address.password(),
                address.dialect().name()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** The address among a main class's arguments. */
    public static Address address(String[] args) {
        return new Address(args[0], args[1], args[2], SQLDialect.valueOf(args[3]));
    }
}
