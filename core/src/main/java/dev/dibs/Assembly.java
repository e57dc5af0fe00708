package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.PatientConnections;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.LockForm;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Puts a worker together: with a buffer and a settling thread where rows are leased, without where connections hold them.
 *
 * @param <T> the payload's type
 */
record Assembly<T>(Queue<T> queue, UserCode<T> code, Sizes sizes, Times times, Means means) {

    /** How many handlers, and how many rows wait for them at most. */
    record Sizes(int concurrency, int prefetch) {}

    /** How long things take at most. */
    record Times(Duration poll, Duration lease, Duration maxHandling, Duration answer) {

        private static final Duration SHORTEST = Duration.ofSeconds(5);

        /** How long a settlement waits for answers: so short that another connection can still extend the leases. */
        Duration settling() {
            var half = lease.dividedBy(2);
            var bound = half.compareTo(SHORTEST) < 0 ? SHORTEST : half;
            return answer.compareTo(bound) < 0 ? answer : bound;
        }
    }

    /** What a worker works with. */
    record Means(HandlerThreads threads, RetryPolicy policy, EventSink events) {}

    Engine engine() {
        var kept = queue.dialect().wakeups().connectionsKept(queue.dsl());
        room().ifPresent(room -> room.keep(kept, queue.ref()));
        var claim = queue.dialect().claim(queue.ref());
        var health = new Health(queue.ref());
        var slots = new Slots(sizes.concurrency(), means.threads().executor());
        return queue.table().lockForm() == LockForm.LEASE
                ? leasing(claim, health, slots)
                : holding(claim, health, slots);
    }

    private Engine leasing(Claim claim, Health health, Slots slots) {
        var half = times.lease().dividedBy(2);
        var columns = RowColumns.of(queue.table());
        var inHand = new InHand(columns, half, times.maxHandling());
        var connection = new ReservedConnection(inHand, queue.dsl(), times.answer(), times.settling());
        var leases = new Leases(claim, inHand, connection, health);
        var settlement = settlement(columns);
        var settler = new LeaseSettler(settlement, leases, rowsOfAllHandlers());
        var prefetch = new Prefetch(sizes.prefetch(), sizes.concurrency(), System.nanoTime());
        var deliveries = deliveries(columns, settlement, settler);
        var rows = new LeasedIntake.Sizes(code.batchSize(), times.lease());
        var intake = new LeasedIntake(slots, rows, prefetch, deliveries, new Suspects(columns));
        slots.onFreed(intake::freed);
        var loop = loop(leases, WorkerBuilder.MOST_ROWS_PER_CLAIM, intake, health);
        intake.pauseBy(loop);
        var reserved = room().map(Room::reserve).orElse(() -> {});
        return new Engine(loop, slots, settler, health, () -> {
            reserved.run();
            means.threads().end().run();
        });
    }

    private DSLContext patient() {
        return PatientConnections.of(queue.dsl(), times.answer());
    }

    private Optional<Room> room() {
        return Room.of(queue.dsl().configuration());
    }

    private Engine holding(Claim claim, Health health, Slots slots) {
        var columns = RowColumns.of(queue.table());
        var settlement = settlement(columns);
        var settler = new HeldSettler(patient(), queue.ref(), settlement);
        var intake = new HeldIntake(slots, code.batchSize(), deliveries(columns, settlement, settler), room());
        var loop = loop(intake.within(claim), code.batchSize(), intake, health);
        intake.feedFrom(loop);
        return new Engine(loop, slots, null, health, means.threads().end());
    }

    private ClaimLoop loop(Claim claim, int mostRows, Intake intake, Health health) {
        var request = ClaimRequest.of(patient(), queue.ref(), mostRows, times.lease());
        var nextReady = new NextReady(patient(), queue.ref(), queue.dialect().transaction());
        var watch = new ClaimLoop.Watch(health, means.events(), queue::wakeAnother);
        var waits = new ClaimLoop.Waits(pace(), nextReady, queue.upkeep(patient()));
        return new ClaimLoop(claim, request, waits, intake, watch);
    }

    private Pace pace() {
        return queue.dialect().needsQuickPolls() ? Pace.adaptive(times.poll()) : Pace.steady(times.poll());
    }

    private Settlement settlement(RowColumns<T> columns) {
        var wakes = new Settlement.Wakes(queue::wakeAfter, queue::wakeAwaiting);
        return new Settlement(queue.ref(), columns, judgement(), means.events(), wakes);
    }

    private Deliveries deliveries(RowColumns<T> columns, Settlement settlement, Settler settler) {
        var reader = new BatchReader<>(queue.ref(), columns, judgement());
        return new Deliveries(
                queue.ref(), new Handling<>(patient(), code, reader, settlement, settler), settlement, settler);
    }

    private Judgement judgement() {
        return new Judgement(queue.ref(), means.policy());
    }

    private int rowsOfAllHandlers() {
        return (int) Math.min(Integer.MAX_VALUE / 2, (long) sizes.concurrency() * code.batchSize());
    }

    /**
     * The running parts of a worker.
     *
     * @param settler settles leased rows; null where connections hold the rows
     * @param end starts no handler any more, and lets go of what the worker has reserved
     */
    record Engine(ClaimLoop loop, Slots slots, @Nullable LeaseSettler settler, Health health, Runnable end) {}
}
