package dev.dibs.sqlite;

import java.time.Duration;

/**
 * Decides when what was written to a file is a reason to look for messages. For one thread.
 *
 * <p>What others write is one at once, unless they write on and on, perhaps to no queue. What Dibs itself writes in this process
 * its workers know already; others may have written at the same time, so that is one now and then.
 */
final class Changes {

    /** Between two wake-ups while others write on and on. */
    static final Duration AFTER_OTHERS = Duration.ofMillis(20);

    /** Between two wake-ups while nobody is known to write but this process. */
    static final Duration AFTER_OWN = Duration.ofMillis(100);

    /** Looks in a row at each of which others had written. */
    static final int ON_AND_ON = 10;

    private long version;
    private long commits;
    private long told;
    private int inARow;
    private boolean isPending;

    /**
     * Nothing to be told yet.
     *
     * @param version the file's version
     * @param commits how often Dibs has committed in this process
     * @param now by {@link System#nanoTime()}
     */
    Changes(long version, long commits, long now) {
        this.version = version;
        this.commits = commits;
        this.told = now;
    }

    /** Whether workers are to look, given what is read of the file now. */
    boolean areToBeTold(long versionNow, long commitsNow, long now) {
        var isOfOthers = versionNow != version && commitsNow == commits;
        isPending |= versionNow != version;
        inARow = isOfOthers ? inARow + 1 : 0;
        version = versionNow;
        commits = commitsNow;
        if (!isPending || now - told < quietTime(isOfOthers).toNanos()) {
            return false;
        }
        isPending = false;
        told = now;
        return true;
    }

    private Duration quietTime(boolean isOfOthers) {
        if (!isOfOthers) {
            return AFTER_OWN;
        }
        return inARow > ON_AND_ON ? AFTER_OTHERS : Duration.ZERO;
    }
}
