package dev.dibs.wake;

import java.util.List;
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

    /**
     * Wakes one that sleeps, by one atomic operation; who finds more than it can take passes the wake on.
     *
     * <p>If none sleeps, all that are busy are to look again before they do: which of them will be the first is not known.
     */
    public void wake(Channel channel) {
        if (!passOn(channel)) {
            wakeAll(channel);
        }
    }

    /**
     * Wakes one that sleeps, if there is one.
     *
     * @return whether there was
     */
    public boolean passOn(Channel channel) {
        for (var signal : signals(channel)) {
            if (signal.isAsleep()) {
                signal.wake();
                return true;
            }
        }
        return false;
    }

    /** Wakes all, busy ones too. */
    public void wakeAll(Channel channel) {
        signals(channel).forEach(Signal::wake);
    }

    /** Has one look by a time of {@link System#nanoTime()}: wakes nobody where one that sleeps will be up by then. */
    public void wakeBy(Channel channel, long time) {
        if (signals(channel).stream().noneMatch(signal -> signal.isUpBy(time))) {
            wake(channel);
        }
    }

    /** Those who wait on a channel of this registry. */
    public Sleepers sleepers(Channel channel) {
        return new Sleepers(this, channel);
    }

    private List<Signal> signals(Channel channel) {
        List<Signal> signals = sleepers.get(channel);
        return signals == null ? List.of() : signals;
    }

    /** Who waits on a channel of a registry: equal for all queues of one name and table that share it. */
    public record Sleepers(WakeRegistry registry, Channel channel) {

        /** See {@link WakeRegistry#wake}. */
        public void wake() {
            registry.wake(channel);
        }

        /** See {@link WakeRegistry#wakeAll}. */
        public void wakeAll() {
            registry.wakeAll(channel);
        }

        /** See {@link WakeRegistry#passOn}. */
        public void passOn() {
            registry.passOn(channel);
        }

        /** See {@link WakeRegistry#wakeBy}. */
        public void wakeBy(long time) {
            registry.wakeBy(channel, time);
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
