package dev.dibs.benchmarks;

import dev.dibs.testkit.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** The peers that run on Node, with the packages that they need, installed into a folder. */
record NodePrograms(Path folder) {

    private static final List<String> FILES = List.of("package.json", "told.mjs", "graphile.mjs", "pg-boss.mjs");

    /**
     * Installs them, from the registry that npm is set to.
     *
     * @throws IOException if there is no Node here, or npm fails
     */
    static NodePrograms install(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        for (var file : FILES) {
            try (var source = Objects.requireNonNull(NodePrograms.class.getResourceAsStream("peers/" + file), file)) {
                Files.copy(source, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        var log = folder.resolve("npm.log").toFile();
        var install = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        if (install.waitFor() != 0) {
            throw new IOException("npm install failed; %s says why".formatted(log));
        }
        return new NodePrograms(folder);
    }

    /** Starts a program twice, one to enqueue and one to work, so that neither waits for the other's turn. */
    Contestant start(String program, Address address, int size) throws IOException {
        var left = program.equals("graphile")
                ? "select count(*) from graphile_worker.jobs"
                : "select count(*) from pgboss.job where name = 'message' and state < 'completed'";
        return NodeContestant.start(folder, program, size, address, left);
    }
}
