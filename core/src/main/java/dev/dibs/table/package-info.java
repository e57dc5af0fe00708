/** What a queue table looks like: which column plays which part, and so which lock form holds its rows. */
@NullMarked
package dev.dibs.table;

import org.jspecify.annotations.NullMarked;
