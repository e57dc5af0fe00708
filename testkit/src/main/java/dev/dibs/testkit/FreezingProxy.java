package dev.dibs.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A way to a database server on which a test can stop all bytes, as a frozen server or a broken network does. */
public final class FreezingProxy implements AutoCloseable {

    private static final int BUFFER = 8_192;

    private final Address real;
    private final URI server;
    private final ServerSocket door;
    private volatile Ice ice = new Ice();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    /** In front of a server. */
    public FreezingProxy(Address real) throws IOException {
        this.real = real;
        this.server = URI.create(real.url().substring("jdbc:".length()));
        this.door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        start(this::welcome);
    }

    /** Where the database is behind it. */
    public Address address() {
        var through = "%s:%d".formatted(door.getInetAddress().getHostAddress(), door.getLocalPort());
        return new Address(
                real.url().replace(server.getAuthority(), through), real.user(), real.password(), real.dialect());
    }

    /** Lets no byte pass, in no direction. */
    public void freeze() {
        ice.melts = new CountDownLatch(1);
    }

    /** Lets them pass again. */
    public void thaw() {
        ice.melts.countDown();
    }

    /** Freezes the connections that there are, for ever; new ones work. */
    public void abandonConnections() {
        freeze();
        ice = new Ice();
    }

    private void welcome() {
        try {
            while (!door.isClosed()) {
                var client = door.accept();
                var beyond = new Socket(server.getHost(), server.getPort());
                sockets.add(client);
                sockets.add(beyond);
                var now = ice;
                start(() -> pass(client, beyond, now));
                start(() -> pass(beyond, client, now));
            }
        } catch (IOException closed) {
            close();
        }
    }

    private static void pass(Socket from, Socket to, Ice ice) {
        try (from;
                to;
                var in = from.getInputStream();
                var out = to.getOutputStream()) {
            var bytes = new byte[BUFFER];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                ice.melts.await();
                out.write(bytes, 0, read);
            }
        } catch (IOException | InterruptedException ended) {
            close(from);
            close(to);
        }
    }

    @Override
    public void close() {
        close(door);
        sockets.forEach(FreezingProxy::close);
    }

    private static void close(AutoCloseable end) {
        try {
            end.close();
        } catch (Exception alreadyGone) {
            return;
        }
    }

    /** What holds bytes up until it melts. */
    private static final class Ice {
        private volatile CountDownLatch melts = new CountDownLatch(0);
    }

    private static void start(Runnable work) {
        var thread = new Thread(work, "freezing-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
