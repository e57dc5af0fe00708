package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jooq.Name;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables, columns and queues of any name live their whole life as data, on every database.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class NamesContract extends TableContract {

    /** What breaks statements that are put together as text. */
    static final List<String> HOSTILE = List.of(
            "with-hyphen",
            "with space",
            "1 digit first",
            "MixedCase",
            "with.dot",
            "single'quote",
            "double\"quote",
            "back`tick",
            "semi; drop table bystander; --",
            "two -- dashes /* and */",
            "$$dollar$$ $1 ${x}",
            "per%cent %s",
            "question? :name #{x} {0}",
            "brackets [x] (y)",
            "f\u00e4rben");

    /** What else a queue's name may hold, being a value. */
    static final List<String> VALUES =
            List.of("back\\slash\\", "\\' or 1=1", "\ud83d\udceb \ud83d\udd11", "new\nline\ttab", "' or ''='", "null");

    /** The contract on a database, in a form. */
    protected NamesContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    static Stream<String> queueNames() {
        return Stream.concat(HOSTILE.stream(), VALUES.stream());
    }

    /** C07: a queue's name is data. */
    @ParameterizedTest
    @MethodSource("queueNames")
    void c07AQueueOfAnyNameLivesItsWholeLife(String queue) throws Exception {
        here.dsl().execute("create table bystander (id int)");
        var table = new NamedTable(name("jobs"), "").create(here.dsl());
        var dead = new NamedTable(name("graves"), "").create(here.dsl());
        here.queue(table.mapped(form, dead), "another", time).enqueue("left alone");

        liveAndDie(table, dead, queue);

        assertThat(rows(table))
                .singleElement()
                .satisfies(row -> assertThat(row.get(table.queue)).isEqualTo("another"));
        assertThat(here.dsl().fetchCount(DSL.table(name("bystander")))).isZero();
    }

    /** C07: a table's and its columns' names are identifiers. */
    @ParameterizedTest
    @FieldSource("HOSTILE")
    void c07ATableAndColumnsOfAnyNameLiveTheirWholeLife(String words) throws Exception {
        here.dsl().execute("create table bystander (id int)");
        var table = new NamedTable(name(words), " " + words).create(here.dsl());
        var dead = new NamedTable(name(words + " dead"), words + "_").create(here.dsl());

        liveAndDie(table, dead, "mail");

        assertThat(here.dsl().fetchCount(DSL.table(name("bystander")))).isZero();
    }

    /** C35: a table in another schema, of names that need quotes, with reserved words as columns. */
    @Test
    void c35ATableInAnotherSchemaLivesItsWholeLife() throws Exception {
        var schema = anotherSchema("My-App.v2 \"q\"");
        var table = new NamedTable(schema.append("Job Queue.v1"), "").create(here.dsl());
        var dead = new NamedTable(schema.append("Job Queue.v1 Dead"), "").create(here.dsl());

        liveAndDie(table, dead, "mail");
    }

    /** C35: a table of the same name elsewhere is another one. */
    @Test
    void c35ATableOfTheSameNameInTheUsualSchemaIsLeftAlone() throws Exception {
        var schema = anotherSchema("elsewhere");
        var usual = new NamedTable(name("jobs"), "").create(here.dsl());
        var table = new NamedTable(schema.append("jobs"), "").create(here.dsl());
        var dead = new NamedTable(schema.append("graves"), "").create(here.dsl());
        here.queue(usual.mapped(form, usual.graves(name("graves"))), "mail", time)
                .enqueue("left alone");

        liveAndDie(table, dead, "mail");

        assertThat(rows(usual)).hasSize(1);
    }

    private Name anotherSchema(String schema) {
        if (dialect() == SQLDialect.SQLITE) {
            return attached(schema);
        }
        var own = schema + " " + address.url().hashCode();
        if (isMysqlFamily()) {
            here.dsl().createDatabase(name(own)).execute();
            opened.add(() -> {
                try (var last = Instance.at(address, 1)) {
                    last.dsl().dropDatabase(name(own)).execute();
                }
            });
        } else {
            here.dsl().createSchema(name(own)).execute();
        }
        return name(own);
    }

    // SQLite's schemas are attached files, which each connection attaches for itself.
    private Name attached(String schema) {
        var settings = address.settings(4);
        var file = address.url().replace("jdbc:sqlite:", "").replaceFirst("[.]db.*", "_attached.db");
        var attach = DSL.using(dialect()).render(DSL.quotedName(schema));
        settings.setConnectionInitSql("attach database '%s' as %s".formatted(file, attach));
        var pool = new HikariDataSource(settings);
        opened.add(pool);
        here = new Instance(pool, DSL.using(pool, dialect()));
        return name(schema);
    }

    // One message is done at once, one at its second delivery, one goes to the dead letters, and one is there already.
    private void liveAndDie(NamedTable table, NamedTable dead, String name) throws Exception {
        var queue = here.queue(table.mapped(form, dead), name, time);
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        queue.enqueue(Message.of("fine").header("a", "b").dedupKey("k").priority(1));
        assertThat(queue.enqueue(Message.of("again").dedupKey("k")).isNew()).isFalse();
        queue.enqueueAll(List.of("once more", "hopeless"));
        here.dsl().transaction(tx -> queue.enqueue(tx, "in a transaction"));
        var worker = queue.worker()
                .pollInterval(POLL)
                .concurrency(2)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .events(recorder)
                .handle(delivery -> {
                    deliveries.add(delivery);
                    var fails = delivery.payload().equals("hopeless")
                            || (delivery.payload().equals("once more") && delivery.attempt() == 1);
                    return fails ? Outcome.retry("not today") : Outcome.done();
                });
        recorder.awaitSettled(6);
        worker.close();

        assertThat(deliveries)
                .extracting(Delivery::payload)
                .containsExactlyInAnyOrder(
                        "fine", "once more", "once more", "hopeless", "hopeless", "in a transaction");
        assertThat(deliveries)
                .allSatisfy(delivery -> assertThat(delivery.queue()).isEqualTo(name));
        assertThat(rows(table))
                .allSatisfy(row -> assertThat(row.get(table.queue)).isNotEqualTo(name));
        assertThat(rows(dead)).singleElement().satisfies(row -> {
            assertThat(row.get(dead.payload)).isEqualTo("hopeless");
            assertThat(row.get(dead.queue)).isEqualTo(name);
            assertThat(row.get(dead.error)).isEqualTo("not today");
        });
    }
}
