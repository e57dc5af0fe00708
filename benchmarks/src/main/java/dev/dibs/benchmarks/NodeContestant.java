package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A peer on Node: a process that enqueues and one that works, each told over its standard input what to do. */
final class NodeContestant implements Contestant {

    private final HikariDataSource pool;
    private final Program enqueuer;
    private final Program worker;
    private final String left;

    private NodeContestant(HikariDataSource pool, Program enqueuer, Program worker, String left) {
        this.pool = pool;
        this.enqueuer = enqueuer;
        this.worker = worker;
        this.left = left;
    }

    static Contestant start(Path folder, String program, int size, Address address, String left) throws IOException {
        var enqueuer = Program.start(folder, program, size, address);
        enqueuer.awaitOk(); // it makes the tables
        var worker = Program.start(folder, program, size, address);
        worker.awaitOk();
        return new NodeContestant(address.pool(2), enqueuer, worker, left);
    }

    @Override
    public void enqueue(int messages) throws IOException {
        enqueuer.tell("enqueue " + messages);
    }

    @Override
    public AutoCloseable start(IntConsumer handled) throws IOException {
        worker.listener = handled;
        worker.tell("start 0");
        return () -> worker.tell("stop 0");
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, left);
    }

    @Override
    public void close() throws InterruptedException {
        enqueuer.close();
        worker.close();
        pool.close();
    }

    /** One process. */
    private static final class Program implements AutoCloseable {

        private static final String OK = "ok";
        private static final long PATIENCE_SECONDS = 120;

        private final String name;
        private final Process process;
        private final PrintWriter verbs;
        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        private volatile @Nullable IntConsumer listener;

        private Program(String name, Process process) {
            this.name = name;
            this.process = process;
            this.verbs = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        }

        static Program start(Path folder, String program, int size, Address address) throws IOException {
            var builder = new ProcessBuilder("node", program + ".mjs", Integer.toString(size))
                    .directory(folder.toFile())
                    .redirectError(folder.resolve(program + ".log").toFile());
            builder.environment().put("PEER_URL", uri(address));
            var started = new Program(program, builder.start());
            var reader = new Thread(started::read, program + "-reader");
            reader.setDaemon(true);
            reader.start();
            return started;
        }

        // jdbc:postgresql://host:port/database?options
        private static String uri(Address address) {
            var plain = address.url().replaceFirst("^jdbc:postgresql://", "").replaceFirst("\\?.*$", "");
            return "postgres://%s:%s@%s".formatted(address.user(), address.password(), plain);
        }

        private void read() {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    var told = listener;
                    if (line.startsWith("handled ") && told != null) {
                        told.accept(Integer.parseInt(line.substring("handled ".length())));
                    } else if (line.equals(OK)) { // the rest is a peer's own log
                        answers.add(line);
                    }
                }
            } catch (IOException gone) {
                answers.add("gone: " + gone.getMessage());
            }
            answers.add("ended");
        }

        void tell(String verb) throws IOException {
            verbs.println(verb);
            awaitOk();
        }

        void awaitOk() throws IOException {
            try {
                var answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (!OK.equals(answer)) {
                    throw new IOException("%s.mjs answered %s; its log lies beside it".formatted(name, answer));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while %s.mjs was at work".formatted(name), interrupted);
            }
        }

        @Override
        public void close() throws InterruptedException {
            verbs.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }
}
