package dev.dibs;

/** Closes a worker when the JVM ends, by SIGTERM for example. */
final class ShutdownHook {

    private final Thread thread;

    /** A hook for a worker of that queue. */
    ShutdownHook(String queue, Runnable close) {
        this.thread = new Thread(close, "queue-%s-shutdown".formatted(queue));
    }

    void register() {
        Runtime.getRuntime().addShutdownHook(thread);
    }

    void unregister() {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException endingAlready) {
            // the JVM is ending and runs the hook, which waits for the close under way
        }
    }
}
