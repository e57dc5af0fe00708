package dev.dibs.benchmarks;

/** A plot of the report: what its axes are, and what it shows. */
enum Chart {
    THREADS(
            "Draining a backlog, against threads",
            "Messages a second that are claimed, handled and settled; the backlog is there before the clock starts (a"
                    + " burn-down), so that neither enqueue nor wake-up is in it. Dibs hands over one message at a time.",
            "handlers, or threads of the raw loop",
            "messages/s",
            false),
    ENQUEUE(
            "Enqueue",
            "Messages a second that one thread commits, one in a transaction, or many in one call.",
            "",
            "messages/s",
            true),
    BURN_DOWN(
            "Burn-down, beside others",
            "A preloaded queue is emptied, on the same server one after the other, each in a database of its own; the clock"
                    + " stops when the table has no message left. Best of the measured rounds, after rounds that warm up.",
            "",
            "messages/s",
            false),
    STEADY(
            "Steady state",
            "Producers hold the depth while it is drained: undisturbed, while another session holds a snapshot, so that no"
                    + " settled row can be removed, and after that. What is counted is what was enqueued less what is left"
                    + " in the table.",
            "",
            "messages/s",
            false),
    COST(
            "What a message costs the server in the steady state",
            "PostgreSQL's own counters, per settled message, its insert included.",
            "",
            "per message",
            true),
    BACKLOG(
            "Claim latency against the backlog",
            "Milliseconds of one claim of 5 rows, committed, while so many rows are ready.",
            "ready rows",
            "ms",
            false),
    NOT_DUE(
            "Claim latency against rows that are not due",
            "Milliseconds of one claim of 5 rows of the next priority, with so many rows in front that are not due yet.",
            "rows not due",
            "ms",
            false),
    LEASED(
            "Claim latency against leased rows",
            "Milliseconds of one claim of 5 rows, with so many leased rows in front of them.",
            "leased rows",
            "ms",
            false),
    QUEUES(
            "Throughput against the number of queues in a table",
            "Messages a second of one queue, 20,000 messages, while each of the others has a backlog of 100.",
            "queues",
            "messages/s",
            false),
    ORDER_KEYS(
            "Throughput against the number of order keys",
            "Messages a second; those of one key are handled one at a time, in their order. 50 messages a key, at most"
                    + " 20,000.",
            "order keys",
            "messages/s",
            true),
    PAYLOAD(
            "Throughput against the size of payloads",
            "Messages a second, 20,000 messages or 50 MB of them.",
            "bytes",
            "messages/s",
            true),
    INSTANCES(
            "Throughput against instances",
            "Messages a second of 20,000 that several instances share, each with 16 handlers and a pool of its own, all in"
                    + " one JVM.",
            "instances",
            "messages/s",
            false),
    GROWING_COST(
            "What a message costs the server under these loads",
            "Statements of the drivers and, on PostgreSQL, its own counters, per settled message, its insert included.",
            "",
            "per message",
            true),
    WAKE(
            "From an insert to its handler",
            "Milliseconds from the moment at which a message was to be written until its handler starts, one message at a"
                    + " time on a fixed schedule (an open loop: a late message does not delay the next one's clock).",
            "percentile",
            "ms",
            true),
    TRIGGER(
            "What waking costs those who write",
            "Commits of one message each, by an insert of plain JDBC where the table announces its inserts or not, and by"
                    + " enqueue.",
            "clients",
            "commits/s",
            false),
    IDLE(
            "What idle workers cost",
            "Statements a minute and queue, while nothing is written; 10 queues with a worker each, for two minutes.",
            "",
            "statements/min",
            false);

    private final String title;
    private final String meaning;
    private final String across;
    private final String up;
    private final boolean isLogarithmic;

    Chart(String title, String meaning, String across, String up, boolean isLogarithmic) {
        this.title = title;
        this.meaning = meaning;
        this.across = across;
        this.up = up;
        this.isLogarithmic = isLogarithmic;
    }

    String title() {
        return title;
    }

    /** What it shows and how that was measured, for people. */
    String meaning() {
        return meaning;
    }

    /** What the places along the axis are; empty where their names say it. */
    String across() {
        return across;
    }

    /** The unit of the values. */
    String up() {
        return up;
    }

    boolean isLogarithmic() {
        return isLogarithmic;
    }
}
