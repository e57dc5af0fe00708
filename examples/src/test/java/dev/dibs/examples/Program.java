package dev.dibs.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The invoice run in a process of its own, as a user starts it. */
record Program(Process process, Path output) {

    private static final long PATIENCE_SECONDS = 120;

    static Program start(Path folder, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                InvoiceRun.class.getName(),
                "--output",
                folder.toString()));
        command.addAll(List.of(arguments));
        if (!command.contains("--invoices")) {
            command.addAll(List.of("--invoices", Path.of("data", "invoices.csv").toString()));
        }
        var output = Files.createTempFile("invoices", ".txt");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Program(process, output);
    }

    /** Waits for its end, and answers what it printed. */
    String end() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("the program did not end; it printed " + printed());
        }
        return printed();
    }

    /** Asks it to end, as SIGTERM does. */
    void terminate() {
        process.destroy();
    }

    int exitCode() {
        return process.exitValue();
    }

    private String printed() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
