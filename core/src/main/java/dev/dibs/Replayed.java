package dev.dibs;

/**
 * What a replay of many dead letters did.
 *
 * @param messages how many are messages of the queue again
 * @param kept how many stay dead letters, for a message of their dedup key waits in the queue
 */
public record Replayed(int messages, int kept) {

    /** Both together. */
    Replayed and(Replayed other) {
        return new Replayed(messages + other.messages, kept + other.kept);
    }
}
