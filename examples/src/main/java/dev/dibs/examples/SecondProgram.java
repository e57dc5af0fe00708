package dev.dibs.examples;

import dev.dibs.examples.invoices.RawInvoice;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** Runs {@link ForeignWriter} in a process of its own. */
final class SecondProgram {

    private SecondProgram() {}

    /** Has it write copies of these invoices, under numbers of their own. */
    static Process start(Place place, List<RawInvoice> originals) {
        try {
            var process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Dslf4j.internal.verbosity=ERROR", // it logs nothing, and need not say so
                            "-cp",
                            classPath(ForeignWriter.class, place.database().driver(), Logger.class),
                            ForeignWriter.class.getName(),
                            place.url(),
                            place.user(),
                            place.password())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // it does not outlive this one
            try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
                for (var original : originals) {
                    input.write(copy(original));
                    input.newLine();
                }
            }
            return process;
        } catch (IOException failed) {
            throw new UncheckedIOException("the second program could not be started", failed);
        }
    }

    private static String copy(RawInvoice original) {
        return original.payload().replace(original.number(), ForeignWriter.MARK + original.number());
    }

    private static String classPath(Class<?>... needed) {
        return Stream.of(needed).map(SecondProgram::home).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    private static String home(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException malformed) {
            throw new IllegalStateException("%s has no place on the class path".formatted(type), malformed);
        }
    }
}
