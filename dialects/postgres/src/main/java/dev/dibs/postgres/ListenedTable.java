package dev.dibs.postgres;

import dev.dibs.spi.TableChannel;
import dev.dibs.wake.WakeRegistry.Sleepers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;

/** A table whose workers listen: its channel, who sleeps, and whether they may sleep long. Safe for any thread. */
final class ListenedTable {

    private final SleepGate gate;
    private final boolean isKept;
    private final Map<String, Map<Sleepers, Integer>> workers = new ConcurrentHashMap<>();
    private volatile TableChannel channel;

    /**
     * A table without workers.
     *
     * @param channel how the table announces its inserts
     * @param isKept whether it is listened to for good, for those who wait come and go
     */
    ListenedTable(TableChannel channel, SleepGate gate, boolean isKept) {
        this.isKept = isKept;
        this.gate = gate;
        this.channel = channel;
    }

    TableChannel channel() {
        return channel;
    }

    SleepGate gate() {
        return gate;
    }

    /** Reads anew how the table announces its inserts; that of what is listened to for good stays as it is. */
    void refresh(DSLContext dsl) {
        if (!isKept) {
            channel = channel.now(dsl);
        }
    }

    void add(String queue, Sleepers sleepers) {
        workers.compute(queue, (name, present) -> {
            var all = present == null ? new ConcurrentHashMap<Sleepers, Integer>() : present;
            all.merge(sleepers, 1, Integer::sum);
            return all;
        });
    }

    void remove(String queue, Sleepers sleepers) {
        workers.computeIfPresent(queue, (name, present) -> {
            present.computeIfPresent(sleepers, (key, times) -> times == 1 ? null : times - 1);
            return present.isEmpty() ? null : present;
        });
    }

    /** Whether nobody listens any more; never, if it is to be listened to for good. */
    boolean isDeserted() {
        return !isKept && workers.isEmpty();
    }

    /** Wakes a worker of a queue; with an empty name, one of each. */
    void wake(String queue) {
        if (queue.isEmpty()) {
            workers.values().forEach(ListenedTable::wake);
        } else {
            wake(workers.getOrDefault(queue, Map.of()));
        }
    }

    private static void wake(Map<Sleepers, Integer> sleepers) {
        sleepers.keySet().forEach(Sleepers::wake);
    }

    /** Wakes all workers of all queues. */
    void wakeAll() {
        workers.values().forEach(sleepers -> sleepers.keySet().forEach(Sleepers::wakeAll));
    }
}
