package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.spi.Listening;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How a worker is woken by this process and by others. */
final class ListeningToAllTest {

    private final List<String> closed = new ArrayList<>();

    @Test
    void closingItEndsBoth() {
        ListeningToAll.of(() -> closed.add("own"), () -> () -> closed.add("others"))
                .close();

        assertThat(closed).containsExactly("own", "others");
    }

    @Test
    void noSubscriptionIsLeftWhereOthersCannotBeListenedTo() {
        Supplier<Listening> away = () -> {
            throw new IllegalStateException("the database is away");
        };

        assertThatThrownBy(() -> ListeningToAll.of(() -> closed.add("own"), away))
                .isInstanceOf(IllegalStateException.class);
        assertThat(closed).containsExactly("own");
    }
}
