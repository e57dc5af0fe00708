package dev.dibs.table;

/** How a claimed row is held until it is settled; the columns of a {@link QueueTable} choose it. */
public enum LockForm {
    /** The claim's open transaction holds the row ({@code for update skip locked}). */
    ROW_LOCK("row lock"),

    /** A committed token and an expiry hold the row; the claim ends by itself. */
    LEASE("lease"),

    /** A session lock on a key computed from the row holds it. */
    ADVISORY("advisory");

    private final String label;

    LockForm(String label) {
        this.label = label;
    }

    /** The form's name as messages and documentation write it. */
    @Override
    public String toString() {
        return label;
    }
}
