package dev.dibs.spi;

/**
 * What is signalled, and waited for.
 *
 * @param signals the name that an application has given to its signals
 * @param key of what it has written; not empty
 */
public record SignalKey(String signals, String key) {}
