package dev.dibs.wake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.Configuration;

/**
 * The workers of this process that want to know of new messages, by channel.
 *
 * <p>Safe for any thread. One registry lives in each jOOQ configuration, so that all queues made from one
 * {@code DSLContext}, and from its transactions, share it.
 */
public final class WakeRegistry {

    private final Map<Channel, CopyOnWriteArrayList<Signal>> sleepers = new ConcurrentHashMap<>();

    private WakeRegistry() {}

    /** The registry of a configuration and of all that were derived from it. */
    public static WakeRegistry of(Configuration configuration) {
        return (WakeRegistry) configuration.data().computeIfAbsent(WakeRegistry.class, key -> new WakeRegistry());
    }

    /** Wakes the signal at each wake of the channel until the subscription is closed; subscribe before you look. */
    public Subscription subscribe(Channel channel, Signal signal) {
        sleepers.compute(channel, (key, present) -> {
            var signals = present == null ? new CopyOnWriteArrayList<Signal>() : present;
            signals.add(signal);
            return signals;
        });
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                unsubscribe(channel, signal);
            }
        };
    }

    private void unsubscribe(Channel channel, Signal signal) {
        sleepers.computeIfPresent(channel, (key, signals) -> {
            signals.remove(signal);
            return signals.isEmpty() ? null : signals;
        });
    }

    /** Wakes everyone who waits on this channel: one atomic operation for each. */
    public void wake(Channel channel) {
        var signals = sleepers.get(channel);
        if (signals != null) {
            signals.forEach(Signal::wake);
        }
    }

    /** A queue of a table. */
    public record Channel(String table, String queue) {}

    /** Ends a subscription; may be closed twice. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
