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
        var source = Files.readString(Path.of("src/main/java/dev/dibs/examples/Hello.java"));
        var shown = source.substring(source.indexOf("// tag::hello[]"), source.indexOf("// end::hello[]"))
                .lines()
                .skip(1)
                .map(line -> line.stripTrailing().replaceFirst("^ {8}", ""))
                .reduce("", (text, line) -> text + line + "\n")
                .strip();

        assertThat(Files.readString(Path.of("..", "README.md"))).contains("```java\n" + shown + "\n```");
    }

    static Stream<TestDatabase> databases() {
        return Stream.of(
                TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());
    }
}
