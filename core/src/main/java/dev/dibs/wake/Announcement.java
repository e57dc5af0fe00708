package dev.dibs.wake;

/**
 * Whether a table's inserts are announced by the table itself, whoever makes them.
 *
 * <p>PostgreSQL alone can. An announcement costs the inserting transaction: commits that announce go one after the other
 * on the whole server, and none of them can be prepared for a two-phase commit.
 */
public enum Announcement {

    /** Nobody is told; workers find the rows when they look. */
    OFF,

    /** Told at commit while somebody sleeps who wants to be woken by it; else an insert costs next to nothing more. */
    ON_DEMAND,

    /** Told at each commit, whether somebody listens or not. */
    ALWAYS
}
