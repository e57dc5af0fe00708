package dev.dibs;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The threads that run handlers, and how they end.
 *
 * @param end starts no handler any more; those at work run on
 */
record HandlerThreads(Executor executor, Runnable end) {

    /** Virtual threads where Java has them (21 and later). */
    static HandlerThreads virtual(String queue, int concurrency) {
        return virtualFactory(prefix(queue))
                .map(factory ->
                        new HandlerThreads(task -> factory.newThread(task).start(), () -> {}))
                .orElseGet(() -> platform(queue, concurrency));
    }

    /** Platform threads, as many as there are handlers. */
    static HandlerThreads platform(String queue, int concurrency) {
        var number = new AtomicInteger();
        var pool = Executors.newFixedThreadPool(
                concurrency, task -> new Thread(task, prefix(queue) + number.incrementAndGet()));
        return new HandlerThreads(pool, pool::shutdown);
    }

    /** Threads of the application, which ends them itself. */
    static HandlerThreads of(Executor executor) {
        return new HandlerThreads(executor, () -> {});
    }

    /** The same, with the logging context and the class loader of the thread that calls this. */
    HandlerThreads inThisContext() {
        var loader = Thread.currentThread().getContextClassLoader();
        var logging = MDC.getCopyOfContextMap();
        return new HandlerThreads(task -> executor.execute(() -> run(task, loader, logging)), end);
    }

    private static void run(Runnable task, @Nullable ClassLoader loader, @Nullable Map<String, String> logging) {
        var thread = Thread.currentThread();
        var loaderBefore = thread.getContextClassLoader();
        var loggingBefore = MDC.getCopyOfContextMap();
        thread.setContextClassLoader(loader);
        put(logging);
        try {
            task.run();
        } finally {
            put(loggingBefore);
            thread.setContextClassLoader(loaderBefore);
        }
    }

    private static void put(@Nullable Map<String, String> logging) {
        if (logging == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(logging);
        }
    }

    private static String prefix(String queue) {
        return "queue-%s-".formatted(queue);
    }

    // By name: Java 17 has no words for it.
    private static Optional<ThreadFactory> virtualFactory(String prefix) {
        try {
            var virtual = Thread.class.getMethod("ofVirtual");
            var builder = virtual.invoke(null);
            var type = virtual.getReturnType();
            type.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
            return Optional.of((ThreadFactory) type.getMethod("factory").invoke(builder));
        } catch (NoSuchMethodException | IllegalAccessException notThere) {
            return Optional.empty();
        } catch (InvocationTargetException refused) {
            throw new IllegalStateException("this Java has virtual threads and refuses them", refused);
        }
    }
}
