package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class MessageTest {

    private static final Message<String> PLAIN = Message.of("payload");

    @Test
    void aMessageHasOnlyWhatItWasGiven() {
        assertThat(PLAIN.payload()).isEqualTo("payload");
        assertThat(PLAIN.priority()).isEmpty();
        assertThat(PLAIN.delay()).isZero();
        assertThat(PLAIN.dueAt()).isEmpty();
        assertThat(PLAIN.dedupKey()).isEmpty();
        assertThat(PLAIN.headers()).isEmpty();
    }

    @Test
    void eachSetterKeepsWhatTheOthersSet() {
        var full = PLAIN.priority(3)
                .delayed(Duration.ofSeconds(1))
                .dueAt(Instant.EPOCH)
                .dedupKey("key")
                .header("a", "1")
                .header("b", "2")
                .header("a", "3");

        assertThat(full.payload()).isEqualTo("payload");
        assertThat(full.priority()).isEqualTo(OptionalInt.of(3));
        assertThat(full.delay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(full.dueAt()).contains(Instant.EPOCH);
        assertThat(full.dedupKey()).contains("key");
        assertThat(full.headers()).isEqualTo(Map.of("a", "3", "b", "2"));
        assertThat(full.headers(Map.of()).headers()).isEmpty();
    }

    @Test
    void headersThatChangeLaterDoNotChangeTheMessage() {
        var changing = new LinkedHashMap<>(Map.of("a", "1"));
        var message = PLAIN.headers(changing);
        changing.put("b", "2");

        assertThat(message.headers()).containsOnlyKeys("a").isUnmodifiable();
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void aHeaderHasANameAndAValue() {
        assertThatThrownBy(() -> PLAIN.header("a", null)).hasMessageContaining("header \"a\"");
        assertThatThrownBy(() -> PLAIN.header(null, "b")).hasMessageContaining("a header has a name");
    }
}
