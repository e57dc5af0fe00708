/** The managed tables: the scripts that create them on each database, and what they are called. */
@NullMarked
package dev.dibs.schema;

import org.jspecify.annotations.NullMarked;
