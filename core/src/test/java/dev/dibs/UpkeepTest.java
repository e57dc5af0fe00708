package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class UpkeepTest {

    private static final long PAUSE = Upkeep.PAUSE.toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - PAUSE / 2);
    private final List<Long> purges = new ArrayList<>();
    private int left;

    @Test
    void aWorkerPurgesOnceInEachPauseHoweverOftenItIsIdle() {
        var upkeep = new Upkeep(now::get, this::purge);
        var began = now.get();
        for (int quarter = 0; quarter < 10; quarter++) {
            upkeep.idle();
            now.addAndGet(PAUSE / 4);
        }

        assertThat(purges).containsExactly(began, began + PAUSE, began + 2 * PAUSE);
    }

    @Test
    void whereThereIsMoreItGoesOnAtTheNextIdleMoment() {
        var upkeep = new Upkeep(now::get, this::purge);
        left = 2 * Upkeep.MOST_ROWS + 1;

        for (int moment = 0; moment < 5; moment++) {
            upkeep.idle();
        }

        assertThat(purges).hasSize(3);
        assertThat(left).isZero();
    }

    @Test
    void aPurgeThatFailsIsTriedAgainAfterThePause() {
        var upkeep = new Upkeep(now::get, most -> {
            purges.add(now.get());
            throw new IllegalStateException("the database is away");
        });

        upkeep.idle();
        upkeep.idle();
        assertThat(purges).hasSize(1);

        now.addAndGet(PAUSE);
        upkeep.idle();
        assertThat(purges).hasSize(2);
    }

    private int purge(int most) {
        purges.add(now.get());
        var purged = Math.min(most, left);
        left -= purged;
        return purged;
    }
}
