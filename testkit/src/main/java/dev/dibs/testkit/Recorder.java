package dev.dibs.testkit;

import dev.dibs.QueueEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Remembers what workers told, and lets a test wait for it. */
final class Recorder implements QueueEvents {

    /** Longer than anything takes, so that a test that waits for it in vain has found a fault. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final BlockingQueue<Event> news = new LinkedBlockingQueue<>();
    private final AtomicInteger settled = new AtomicInteger();
    private final Map<Object, Integer> done = new ConcurrentHashMap<>();

    /** One thing that happened. */
    record Event(String what, Object id, String detail) {}

    /** Waits for the next thing of that kind; others before it are passed over. */
    Event await(String what) throws InterruptedException {
        var end = end();
        var event = next(end);
        while (!event.what().equals(what)) {
            event = next(end);
        }
        return event;
    }

    /** Waits until that many have happened. */
    List<Event> await(String what, int times) throws InterruptedException {
        var events = new ArrayList<Event>();
        while (events.size() < times) {
            events.add(await(what));
        }
        return events;
    }

    /** Puts a mark among the things that are told. */
    void mark() {
        news.add(new Event("mark", "", ""));
    }

    /** Waits for a claim that was not under way yet. */
    void awaitClaimThatBeginsNow() throws InterruptedException {
        mark();
        await("mark");
        await("claimed"); // it may have begun before
        await("claimed");
    }

    /** Waits until a message is done, and answers how many claims there were since the mark, if it came first. */
    int claimsFromMarkToDone() throws InterruptedException {
        var end = end();
        var claims = 0;
        var marked = false;
        for (var event = next(end); !event.what().equals("done"); event = next(end)) {
            marked |= event.what().equals("mark");
            claims += marked && event.what().equals("claimed") ? 1 : 0;
        }
        return claims;
    }

    /** Waits until that many outcomes were written. */
    void awaitSettled(int outcomes) {
        Awaitility.await().atMost(PATIENCE).until(() -> settled.get() >= outcomes);
    }

    /** How often each message was done. */
    Map<Object, Integer> done() {
        return Map.copyOf(done);
    }

    @Override
    public void claimed(String queue, int rows) {
        news.add(new Event("claimed", "", Integer.toString(rows)));
    }

    @Override
    public void claimFailed(String queue, Throwable failure) {
        news.add(new Event("claimFailed", "", failure.toString()));
    }

    @Override
    public void done(String queue, Object id, Duration handling) {
        done.merge(id, 1, Integer::sum);
        settled.incrementAndGet();
        news.add(new Event("done", id, ""));
    }

    @Override
    public void retried(String queue, Object id, int attempt, Duration delay, String error) {
        settled.incrementAndGet();
        news.add(new Event("retried", id, delay.toString()));
    }

    @Override
    public void deadLettered(String queue, Object id, int attempt, String error) {
        settled.incrementAndGet();
        news.add(new Event("deadLettered", id, error));
    }

    @Override
    public void passedOn(String queue, Object id, Duration delay) {
        news.add(new Event("passedOn", id, delay.toString()));
    }

    @Override
    public void unknown(String queue, Object id) {
        news.add(new Event("unknown", id, ""));
    }

    @Override
    public void lost(String queue, Object id) {
        news.add(new Event("lost", id, ""));
    }

    @Override
    public void settlementFailed(String queue, Object id, Throwable failure) {
        news.add(new Event("settlementFailed", id, failure.toString()));
    }

    private Event next(long end) throws InterruptedException {
        var event = news.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (event == null) {
            throw new AssertionError("what was waited for did not happen within " + PATIENCE);
        }
        return event;
    }

    private static long end() {
        return System.nanoTime() + PATIENCE.toNanos();
    }
}
