/** Queues on MySQL and MariaDB. */
@NullMarked
package dev.dibs.mysql;

import org.jspecify.annotations.NullMarked;
