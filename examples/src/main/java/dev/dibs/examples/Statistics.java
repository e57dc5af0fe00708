package dev.dibs.examples;

import dev.dibs.Delivery;
import dev.dibs.QueueEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** What a run has done so far. Safe for any thread. */
final class Statistics {

    private static final int DIGITS = 3;

    private final ProgressBar progress;
    private final CountDownLatch remaining;
    private final long begun = System.nanoTime();
    private final Histogram latency = new SynchronizedHistogram(DIGITS);
    private final Histogram foreignLatency = new SynchronizedHistogram(DIGITS);
    private final Map<String, Integer> rendered = new TreeMap<>();
    private final List<String> dead = new ArrayList<>();
    private int retried;
    private long ended;

    /** Counts towards that many messages. */
    Statistics(int expected, ProgressBar progress) {
        this.remaining = new CountDownLatch(expected);
        this.progress = progress;
    }

    /** What one instance tells. */
    QueueEvents of(String instance) {
        synchronized (this) {
            rendered.put(instance, 0);
        }
        return new QueueEvents() {
            @Override
            public void done(String queue, Object id, Duration handling) {
                ended(() -> rendered.merge(instance, 1, Integer::sum));
            }

            @Override
            public void retried(String queue, Object id, int attempt, Duration delay, String error) {
                synchronized (Statistics.this) {
                    retried++;
                }
            }

            @Override
            public void deadLettered(String queue, Object id, int attempt, String error) {
                ended(() -> dead.add("message %s after %d deliveries: %s".formatted(id, attempt, error)));
            }
        };
    }

    /** A handler has begun: how long was its message due? */
    void started(Delivery<String> delivery) {
        if (delivery.attempt() > 1) {
            return;
        }
        delivery.dueAt().map(due -> Duration.between(due, Instant.now())).ifPresent(waited -> {
            var histogram = ForeignWriter.wrote(delivery.payload()) ? foreignLatency : latency;
            histogram.recordValue(Math.max(0, waited.toNanos() / 1_000));
        });
    }

    /** Waits until every message has come to its end, or the program that was to write some of them has failed. */
    void awaitEnd(Process writer) throws InterruptedException {
        while (!remaining.await(1, TimeUnit.SECONDS)) {
            if (!writer.isAlive() && writer.exitValue() != 0) {
                throw new IllegalStateException(
                        "the second program ended with code %d before it had written its rows; what it said stands above"
                                .formatted(writer.exitValue()));
            }
        }
    }

    /** The run in a few lines. */
    synchronized String summary() {
        var count = rendered.values().stream().mapToInt(Integer::intValue).sum();
        var seconds = (ended - begun) / 1e9;
        var lines = new ArrayList<String>();
        lines.add("rendered       %d invoices in %.1f s, %.0f messages/s".formatted(count, seconds, count / seconds));
        rendered.forEach((instance, times) -> lines.add("  %-12s %d".formatted(instance, times)));
        lines.add("retried        %d times".formatted(retried));
        lines.add("dead-lettered  %d".formatted(dead.size()));
        dead.forEach(line -> lines.add("  " + line));
        lines.add("due to start   p50 %s, p99 %s (enqueued at once, so most waited for their turn)"
                .formatted(millis(latency, 50), millis(latency, 99)));
        lines.add("               p50 %s, p99 %s (%d rows of the second program)"
                .formatted(millis(foreignLatency, 50), millis(foreignLatency, 99), foreignLatency.getTotalCount()));
        return String.join(System.lineSeparator(), lines);
    }

    private void ended(Runnable record) {
        synchronized (this) {
            record.run();
            ended = System.nanoTime();
        }
        progress.step();
        remaining.countDown();
    }

    private static String millis(Histogram histogram, double percentile) {
        return "%.1f ms".formatted(histogram.getValueAtPercentile(percentile) / 1e3);
    }
}
