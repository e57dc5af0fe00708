package dev.dibs.table;

/** Where a message goes that is not to be tried again. */
public sealed interface DeadLetters {

    /** Nowhere: such a message cannot leave the queue, so a retry limit is refused. */
    record Nowhere() implements DeadLetters {}

    /** The row stays where it is, finished, with its error beside it. */
    record InPlace() implements DeadLetters {}

    /** Another queue of the same table. */
    record OtherQueue(String name) implements DeadLetters {}

    /** A second mapped table, which gets a copy of the row. */
    record OtherTable(QueueTable<?> table) implements DeadLetters {}
}
