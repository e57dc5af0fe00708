package dev.dibs.table;

/** What a column is for in a queue table. */
public enum Part {
    /** Identifies the row; required. */
    ID("id"),
    /** What the handler gets; without it the whole row is. */
    PAYLOAD("payload"),
    /** The queue's name; without it the whole table is one queue. */
    QUEUE("queue"),
    /** Smaller is claimed first. */
    PRIORITY("priority"),
    /** The row is not claimed before this time; without it a message cannot be delayed. */
    DUE_AT("dueAt"),
    /** How often the row was claimed; without it retries have no limit. */
    ATTEMPT("attempt"),
    /** When the row's lease ends; its presence chooses the lease form. */
    LEASED_UNTIL("leasedUntil"),
    /** Proves which claim holds the lease; without it the expiry is the proof. */
    LEASE_TOKEN("leaseToken"),
    /** Rows of one value are in work one at a time, in the order of their ids. */
    ORDER_KEY("orderKey"),
    /** When the row was finished; without it finished rows are deleted. */
    FINISHED_AT("finishedAt"),
    /** Unique among a queue's unfinished rows, so that a message enqueued twice is there once. */
    DEDUP_KEY("dedupKey"),
    /** When the row was inserted, by the database's own default. */
    CREATED_AT("createdAt"),
    /** Free text pairs, as one JSON object of strings. */
    HEADERS("headers"),
    /** The text of the last failure. */
    ERROR("error");

    private final String label;

    Part(String label) {
        this.label = label;
    }

    /** The part's name as {@link QueueTable} and messages write it. */
    @Override
    public String toString() {
        return label;
    }
}
