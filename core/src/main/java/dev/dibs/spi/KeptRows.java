package dev.dibs.spi;

/** How the claim index of a database keeps finished rows, where they are kept, out of a claim's way. */
public enum KeptRows {
    /** A partial index has none of them. */
    LEFT_OUT,

    /** {@code finishedAt} is a column of the index, beside what a claim compares. */
    SET_APART,

    /** Either of the two, where drivers do not tell which indexes are partial. */
    EITHER
}
