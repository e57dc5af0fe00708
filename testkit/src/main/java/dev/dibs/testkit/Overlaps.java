package dev.dibs.testkit;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Looks whether handlers of one key ever run at once; safe for any thread. */
final class Overlaps {

    private final Map<Object, AtomicInteger> inWork = new ConcurrentHashMap<>();
    private final Queue<Object> found = new ConcurrentLinkedQueue<>();

    /** Runs a handler of that key. */
    <R> R during(Object key, Supplier<R> handler) {
        var here = inWork.computeIfAbsent(key, absent -> new AtomicInteger());
        if (here.incrementAndGet() > 1) {
            found.add(key);
        }
        try {
            return handler.get();
        } finally {
            here.decrementAndGet();
        }
    }

    /** The keys whose handlers did. */
    Queue<Object> found() {
        return found;
    }
}
