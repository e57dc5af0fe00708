package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerState.Kind;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/**
 * What a worker's engine promises in every lock form, on every database.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
@Timeout(120)
public abstract class EngineContract extends TableContract {

    private JobTable jobs = new JobTable("engine_jobs");
    private JobTable dead = new JobTable("engine_jobs_dead");

    /** The contract on a database, in a form. */
    protected EngineContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTables() {
        jobs = jobs.create(here.dsl());
        dead = dead.create(here.dsl());
    }

    @Test
    void asManyHandlersWorkAtOnceAsThereAreMessagesFor() throws Exception {
        var together = new CountDownLatch(4);
        queue().enqueueAll(numbered(4));

        opened.add(queue().worker().concurrency(4).events(recorder).consume(payload -> {
            together.countDown();
            together.await();
        }));

        recorder.await("done", 4);
    }

    @Test
    void anIdleWorkerClaimsOnceAndThenWaitsToBeWoken() throws Exception {
        var queue = queue();
        opened.add(queue.worker()
                .concurrency(8)
                .pollInterval(Duration.ofDays(1))
                .events(recorder)
                .consume(payload -> {}));
        recorder.await("claimed");
        recorder.mark();

        queue.enqueue("wakes it");

        assertThat(recorder.claimsFromMarkToDone()).isBetween(1, 3);
    }

    /** C36: an outage is survived with few tries, told once, and over when the database is back. */
    @Test
    void c36AWorkerSurvivesAnOutageAndSaysSo() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = new Instance(here.pool(), DSL.using(switched.dataSource(), dialect()))
                .queue(jobs.mapped(form, dead), "mail", TimeSource.database());
        var worker = queue.worker()
                .concurrency(4)
                .pollInterval(POLL)
                .events(recorder)
                .consume(payload -> {});
        opened.add(worker);
        recorder.await("claimed");
        assertThat(worker.state().kind()).isEqualTo(Kind.RUNNING);

        switched.off();
        recorder.await("claimFailed", 3);
        assertThat(worker.state().kind()).isEqualTo(Kind.DEGRADED);
        assertThat(worker.state().reason()).contains("switched off");
        switched.on();
        queue.enqueue("after the outage");
        recorder.await("done");

        assertThat(worker.state().kind()).isEqualTo(Kind.RUNNING);
    }

    /** C18: on a pool that is too small handlers take turns, and none waits for ever. */
    @Test
    void c18WorkersOfAPoolTooSmallSlowAndNeverStop() throws Exception {
        var small = Instance.at(address, 4);
        opened.add(small);
        var table = jobs.mapped(form, dead);
        var queues = Stream.of("mail", "bills")
                .map(name -> Queue.builder(small.dsl(), table, name)
                        .time(TimeSource.database())
                        .poolSize(4)
                        .build())
                .toList();
        for (var queue : queues) {
            queue.enqueueAll(numbered(20));
            opened.add(queue.worker()
                    .concurrency(2)
                    .pollInterval(POLL)
                    .events(recorder)
                    .consume(payload -> {
                        try (var connection = small.pool().getConnection()) {
                            connection.isValid(1);
                        }
                    }));
        }

        recorder.awaitSettled(40);

        assertThat(recorder.done()).hasSize(40);
    }

    @Test
    void handlersHaveTheLoggingContextAndTheClassLoaderOfTheThreadThatStartedTheWorker() throws Exception {
        var seen = new LinkedBlockingQueue<List<Object>>();
        var loader = new URLClassLoader(new URL[0], getClass().getClassLoader());
        var before = Thread.currentThread().getContextClassLoader();
        queue().enqueue("in context");
        try {
            Thread.currentThread().setContextClassLoader(loader);
            MDC.put("tenant", "seven");
            opened.add(queue().worker()
                    .events(recorder)
                    .consume(payload -> seen.add(List.of(
                            Thread.currentThread().getContextClassLoader(), String.valueOf(MDC.get("tenant"))))));
        } finally {
            MDC.clear();
            Thread.currentThread().setContextClassLoader(before);
        }

        assertThat(take(seen)).containsExactly(loader, "seven");
        recorder.await("done");
    }

    @Test
    void handlersRunOnVirtualThreadsWhereJavaHasThemAndTheDriverSuitsThem() throws Exception {
        var virtual = new LinkedBlockingQueue<Boolean>();
        queue().enqueue("who runs me");

        opened.add(
                queue().worker().events(recorder).consume(payload -> virtual.add(isVirtual(Thread.currentThread()))));

        assertThat(take(virtual)).isEqualTo(Runtime.version().feature() >= 21 && dialect() != SQLDialect.SQLITE);
        recorder.await("done");
    }

    @Test
    void anExecutorOfTheApplicationRunsTheHandlers() throws Exception {
        var names = new LinkedBlockingQueue<String>();
        queue().enqueue("who runs me");

        opened.add(queue().worker()
                .executor(task -> new Thread(task, "the application's own").start())
                .events(recorder)
                .consume(payload -> names.add(Thread.currentThread().getName())));

        assertThat(take(names)).isEqualTo("the application's own");
        recorder.await("done");
    }

    @Test
    void aMessageThatFindsNoThreadIsGivenBackUncounted() throws Exception {
        var refusals = new AtomicInteger();
        var attempts = new LinkedBlockingQueue<Integer>();
        queue().enqueue("no room at first");

        opened.add(queue().worker()
                .pollInterval(POLL)
                .executor(task -> {
                    if (refusals.incrementAndGet() == 1) {
                        throw new IllegalStateException("the executor is full");
                    }
                    new Thread(task).start();
                })
                .events(recorder)
                .handle(delivery -> {
                    attempts.add(delivery.attempt());
                    return Outcome.done();
                }));
        recorder.await("done");

        assertThat(attempts).containsExactly(1);
    }

    @Test
    void aMessagePassedOnComesBackUncounted() throws Exception {
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        queue().enqueue("of a new type");

        opened.add(queue().worker().pollInterval(POLL).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            return deliveries.size() == 1 ? Outcome.passOn(Duration.ofMillis(1)) : Outcome.done();
        }));
        recorder.await("passedOn");
        recorder.await("done");

        assertThat(deliveries).extracting(Delivery::attempt).containsExactly(1, 1);
    }

    @Test
    void whatAHandlerThrowsHasItsOwnPolicy() throws Exception {
        queue().enqueue("bad input");

        opened.add(queue().worker()
                .retry(RetryPolicy.ofDefaults().on(IllegalArgumentException.class, RetryPolicy.none()))
                .events(recorder)
                .consume(payload -> {
                    throw new NumberFormatException("not a number");
                }));

        assertThat(recorder.await("deadLettered").detail()).contains("not a number");
        assertThat(rows(dead)).hasSize(1);
    }

    @Test
    void aListenerThatThrowsAtEveryEventHarmsNothing() throws Exception {
        queue().enqueueAll(numbered(5));
        var handled = new CountDownLatch(5);

        opened.add(queue().worker()
                .pollInterval(POLL)
                .events((QueueEvents) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {QueueEvents.class}, (proxy, event, values) -> {
                            throw new AssertionError("the listener is broken");
                        }))
                .consume(payload -> handled.countDown()));
        handled.await();

        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> rows(jobs).isEmpty());
    }

    @Test
    void connectionsThatDoNotGoBackToTheirPoolWellChangeNothing() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = new Instance(here.pool(), DSL.using(switched.dataSource(), dialect()))
                .queue(jobs.mapped(form, dead), "mail", TimeSource.database());
        var handled = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().concurrency(2).events(recorder).consume(handled::add));

        switched.failToClose();
        queue.enqueueAll(numbered(20));
        recorder.await("done", 20);

        assertThat(handled).hasSize(20);
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aColumnThatIsAddedWhileAWorkerRunsDisturbsNothing() throws Exception {
        var queue = queue();
        opened.add(queue.worker().pollInterval(POLL).events(recorder).consume(payload -> {}));
        queue.enqueueAll(numbered(10));
        recorder.await("done", 10);

        here.dsl()
                .alterTable(jobs)
                .addColumn(DSL.name("added_later"), SQLDataType.INTEGER)
                .execute();
        queue.enqueueAll(numbered(10));

        recorder.await("done", 10);
    }

    @Test
    void anInterruptedHandlersMessageIsSettled() throws Exception {
        queue().enqueueAll(numbered(3));

        opened.add(queue().worker()
                .events(recorder)
                .consume(payload -> Thread.currentThread().interrupt()));

        recorder.await("done", 3);
        assertThat(rows(jobs)).isEmpty();
    }

    final Queue<String> queue() {
        return here.queue(table(), "mail", TimeSource.database());
    }

    final QueueTable<String> table() {
        return jobs.mapped(form, dead);
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        var question = Stream.of(Thread.class.getMethods())
                .filter(method -> method.getName().equals("isVirtual"))
                .findFirst();
        return question.isPresent() && (boolean) question.get().invoke(thread);
    }
}
