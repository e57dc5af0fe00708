package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ChangesTest {

    private static final Duration LOOK = FileWatch.INTERVAL;

    private final Changes changes = new Changes(1, 1, 0);
    private long version = 1;
    private long commits = 1;
    private long now;

    @Test
    void whatOthersWriteIsToldAtOnce() {
        assertThat(othersWrite()).isTrue();
    }

    @Test
    void whatOthersWriteIsToldOnce() {
        othersWrite();

        assertThat(nobodyWrites()).isFalse();
    }

    @Test
    void whatOthersWriteIsToldAtOnceThoughThisProcessWritesInBetween() {
        for (int message = 0; message < 100; message++) {
            assertThat(othersWrite()).isTrue();
            assertThat(thisProcessWrites()).isFalse();
        }
    }

    @Test
    void whatThisProcessWritesIsToldNowAndThen() {
        var told = 0;
        for (int look = 0; look < 100; look++) {
            told += thisProcessWrites() ? 1 : 0;
        }

        assertThat(told).isEqualTo((int) LOOK.multipliedBy(100).dividedBy(Changes.AFTER_OWN));
    }

    @Test
    void whatOthersMayHaveWrittenBesideThisProcessIsToldAfterAWhile() {
        assertThat(thisProcessWrites()).isFalse();

        var looks = 1;
        while (!nobodyWrites()) {
            looks++;
        }

        assertThat(LOOK.multipliedBy(looks)).isLessThanOrEqualTo(Changes.AFTER_OWN);
    }

    @Test
    void othersThatWriteOnAndOnAreToldNowAndThen() {
        for (int look = 0; look < Changes.ON_AND_ON; look++) {
            othersWrite();
        }

        var told = 0;
        for (int look = 0; look < 100; look++) {
            told += othersWrite() ? 1 : 0;
        }

        assertThat(told).isEqualTo((int) LOOK.multipliedBy(100).dividedBy(Changes.AFTER_OTHERS));
    }

    @Test
    void theLastOfManyIsToldToo() {
        for (int look = 0; look < 3 * Changes.ON_AND_ON; look++) {
            othersWrite();
        }
        var isTold = othersWrite();

        for (int look = 0; look < 100 && !isTold; look++) {
            isTold = nobodyWrites();
        }

        assertThat(isTold).isTrue();
    }

    @Test
    void aCommitThatChangesNothingIsNotTold() {
        commits++;

        assertThat(nobodyWrites()).isFalse();
    }

    private boolean othersWrite() {
        version++;
        return look();
    }

    private boolean thisProcessWrites() {
        version++;
        commits++;
        return look();
    }

    private boolean nobodyWrites() {
        return look();
    }

    private boolean look() {
        now += LOOK.toNanos();
        return changes.areToBeTold(version, commits, now);
    }
}
