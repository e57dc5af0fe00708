package dev.dibs.testkit;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A PgBouncer in front of a test's own PostgreSQL database, which lends server connections by the transaction.
 *
 * <p>The program is the one that {@code dibs.test.pgbouncer}, or DIBS_TEST_PGBOUNCER, names, else the one on the path.
 */
public final class PgBouncer implements AutoCloseable {

    private static final Setting PROGRAM = Setting.of("pgbouncer");
    private static final Pattern VERSION = Pattern.compile("PgBouncer 1\\.(\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The first of the versions 1.x that know what their clients have prepared. */
    private static final int KEEPS_STATEMENTS = 21;

    private final Address server;
    private final Path program;
    private final Path folder;
    private final int port;
    private final boolean keepsStatements;
    private Optional<Process> running = Optional.empty();

    private PgBouncer(Address server, Path program, boolean isToKeepStatements) throws IOException {
        this.server = server;
        this.program = program;
        this.folder = Files.createTempDirectory("dibs-pgbouncer-");
        this.port = freePort();
        this.keepsStatements = isToKeepStatements && version() >= KEEPS_STATEMENTS;
    }

    /**
     * Starts one that keeps what clients prepare, if its version can; its address says to the driver whether it does.
     *
     * @param server the database, where all its server connections are this user's
     * @param connections to the server, at most
     * @param settings more lines of its configuration
     * @throws IllegalStateException if the program is not there, or ends at once
     */
    public static PgBouncer inFrontOf(Address server, int connections, String... settings) throws IOException {
        return new PgBouncer(server, program(), true).started(connections, settings);
    }

    /** Starts one that keeps no statements, and says nothing of it. */
    public static PgBouncer forgettingStatements(Address server, int connections) throws IOException {
        return new PgBouncer(server, program(), false).started(connections);
    }

    /** The database through it. */
    public Address address() {
        return through(keepsStatements ? "" : "?prepareThreshold=0");
    }

    /** The database through it for a driver that prepares what it executes often, which is the driver's default. */
    public Address addressOfDriversThatPrepare() {
        return through("");
    }

    private Address through(String options) {
        var url = "jdbc:postgresql://127.0.0.1:%d%s%s".formatted(port, uri().getPath(), options);
        return new Address(url, server.user(), server.password(), server.dialect());
    }

    private PgBouncer started(int connections, String... settings) throws IOException {
        Files.writeString(configuration(), configuration(connections, settings));
        var process = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        running = Optional.of(process);
        Awaitility.await().atMost(PATIENCE).until(() -> isUp(process));
        return this;
    }

    // It refuses to be root, and becomes somebody else when it has read its configuration.
    private List<String> command() {
        var isRoot = "root".equals(System.getProperty("user.name"));
        return isRoot
                ? List.of(program.toString(), "-u", "nobody", configuration().toString())
                : List.of(program.toString(), configuration().toString());
    }

    // The host's number, since a name may have several, of which not all lead to the server.
    private String configuration(int connections, String... settings) throws IOException {
        return """
                [databases]
                * = host=%s port=%d user=%s password='%s'
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                                InetAddress.getByName(uri().getHost()).getHostAddress(),
                                uri().getPort(),
                                server.user(),
                                server.password().replace("'", "''"),
                                port,
                                connections)
                + statements()
                + String.join("\n", settings)
                + "\n";
    }

    private String statements() throws IOException {
        return version() >= KEEPS_STATEMENTS
                ? "max_prepared_statements = %d%n".formatted(keepsStatements ? 200 : 0)
                : "";
    }

    private boolean isUp(Process process) throws IOException {
        var told = Files.readString(log());
        if (!process.isAlive()) {
            throw new IllegalStateException("%s ended: %s".formatted(program, told));
        }
        return told.contains("process up");
    }

    private int version() throws IOException {
        var asked = new ProcessBuilder(program.toString(), "--version").start();
        var answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var version = VERSION.matcher(answer);
        if (!version.find()) {
            throw new IllegalStateException("%s is no PgBouncer 1.x, but says: %s".formatted(program, answer));
        }
        return Integer.parseInt(version.group(1));
    }

    private URI uri() {
        return URI.create(server.url().substring("jdbc:".length()));
    }

    private Path configuration() {
        return folder.resolve("pgbouncer.ini");
    }

    private Path log() {
        return folder.resolve("pgbouncer.log");
    }

    // Debian's lies where the path of others than root does not lead.
    private static Path program() {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1);
        var places = new ArrayList<>(List.of(path));
        places.add("/usr/sbin");
        return Stream.concat(
                        PROGRAM.value().map(Path::of).stream(),
                        places.stream().map(place -> Path.of(place, "pgbouncer")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "there is no pgbouncer on the path; install PgBouncer, or name its program in "
                                + PROGRAM.variable()));
    }

    private static int freePort() throws IOException {
        try (var any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    /** Ends it, with all connections through it. */
    @Override
    public void close() throws IOException {
        running.ifPresent(process -> process.destroyForcibly().onExit().join());
        for (var made : List.of(configuration(), log(), folder)) {
            Files.deleteIfExists(made);
        }
    }
}
