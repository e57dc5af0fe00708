package dev.dibs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.testkit.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class HelloTest {

    @ParameterizedTest
    @MethodSource("databases")
    void theHelloGreetsOnEveryDatabase(TestDatabase database) throws Exception {
        try (var pool = database.newDatabase().pool(4)) {
            Hello.run(pool, database.dialect());

            assertThat(DSL.using(pool, database.dialect()).fetchCount(DSL.table("dibs_message")))
                    .isZero();
        }
    }

    @Test
    void theReadmeShowsTheHelloThatIsCompiled() throws Exception {
        assertThat(Files.readString(Path.of("..", "README.md"))).contains(Snippet.of(Hello.class, "hello"));
    }

    static Stream<TestDatabase> databases() {
        return Stream.of(
                TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());
    }
}
