package dev.dibs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.testkit.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SumsTest {

    @ParameterizedTest
    @MethodSource("dev.dibs.examples.HelloTest#databases")
    void aResultIsAwaitedOnEveryDatabase(TestDatabase database) throws Exception {
        try (var pool = database.newDatabase().pool(4)) {
            assertThat(Sums.run(pool, database.dialect())).contains("42");
        }
    }

    @Test
    void theGuideShowsTheSumsThatAreCompiled() throws Exception {
        assertThat(Files.readString(Path.of("..", "docs", "waking.md"))).contains(Snippet.of(Sums.class, "await"));
    }
}
