/** Queues on PostgreSQL. */
@NullMarked
package dev.dibs.postgres;

import org.jspecify.annotations.NullMarked;
