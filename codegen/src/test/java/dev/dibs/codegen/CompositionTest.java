package dev.dibs.codegen;

import static dev.dibs.codegen.EmailJobs.INDEX;
import static dev.dibs.codegen.EmailJobs.MAPPING;
import static dev.dibs.codegen.EmailJobs.STATEMENT;
import static dev.dibs.codegen.EmailJobs.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.jooq.codegen.JavaGenerator;
import org.jooq.codegen.JavaWriter;
import org.jooq.codegen.KotlinGenerator;
import org.jooq.codegen.ScalaGenerator;
import org.jooq.meta.SchemaDefinition;
import org.jooq.meta.TableDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generators of users, beside ours. */
final class CompositionTest {

    @TempDir
    private Path directory;

    /** A generator that extends ours. */
    public static final class Extending extends QueueGenerator {
        @Override
        protected void generateTableClassFooter(TableDefinition table, JavaWriter out) {
            out.println("// own footer");
        }
    }

    /** A generator that has its own class above it, and does what ours does. */
    public static final class Delegating extends JavaGenerator {
        // tag::delegating[]
        @Override
        protected void generateTables(SchemaDefinition schema) {
            super.generateTables(schema);
            for (var queue : QueueClass.of(this, schema)) {
                var out = newJavaWriter(queue.file());
                queue.writeTo(out, column -> getJavaType(column.getType(resolver(out)), out));
                closeJavaWriter(out);
            }
        }
        // end::delegating[]
    }

    /** A generator of Kotlin that asks for mappings. */
    public static final class OfKotlin extends KotlinGenerator {
        @Override
        protected void generateTables(SchemaDefinition schema) {
            QueueClass.of(this, schema);
        }
    }

    /** A generator of Scala that asks for mappings. */
    public static final class OfScala extends ScalaGenerator {
        @Override
        protected void generateTables(SchemaDefinition schema) {
            QueueClass.of(this, schema);
        }
    }

    @Test
    void aGeneratorMayExtendOurs() throws Exception {
        var generation = emailJobs(Extending.class).run();

        assertThat(generation.text("tables.EmailJobs")).contains("// own footer");
        assertThat(generation.text(MAPPING)).contains("EMAIL_JOBS_QUEUE");
    }

    @Test
    void aGeneratorMayDoWhatOursDoes() throws Exception {
        var ours = emailJobs(QueueGenerator.class).run().files();

        assertThat(emailJobs(Delegating.class).run().files()).isEqualTo(ours);
    }

    @Test
    void aGeneratorOfKotlinIsRefused() throws Exception {
        assertThat(emailJobs(OfKotlin.class).refusal()).isEqualTo("""
                the generator dev.dibs.codegen.CompositionTest$OfKotlin writes KOTLIN, and mappings are Java; generate the queue \
                tables with dev.dibs.codegen.QueueGenerator in an execution of its own, whose classes Kotlin and Scala can use""");
    }

    /** That of jOOQ 3.19: newer ones sell it. */
    @Test
    @Tag("pinned-sql")
    void aGeneratorOfScalaIsRefused() throws Exception {
        assertThat(emailJobs(OfScala.class).refusal())
                .startsWith(
                        "the generator dev.dibs.codegen.CompositionTest$OfScala writes SCALA, and mappings are Java; ");
    }

    private Generation emailJobs(Class<?> generator) throws Exception {
        return Generation.ofSqlite(directory, TABLE, INDEX)
                .property("dibs:email_jobs", STATEMENT)
                .with(configured -> configured.getGenerator().setName(generator.getName()));
    }
}
