package dev.dibs.spi;

import org.jspecify.annotations.Nullable;

/**
 * A value that was read, or what its converter threw.
 *
 * @param value the value; null where the column is null or could not be read
 * @param failure why it could not be read, or null
 */
public record Read<T>(@Nullable T value, @Nullable Throwable failure) {}
