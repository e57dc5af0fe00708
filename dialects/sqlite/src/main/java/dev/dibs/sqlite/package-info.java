/** Queues on SQLite. */
@NullMarked
package dev.dibs.sqlite;

import org.jspecify.annotations.NullMarked;
