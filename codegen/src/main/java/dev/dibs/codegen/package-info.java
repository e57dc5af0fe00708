/** Writes the mapping of queue tables beside the classes that jOOQ generates for them. */
@NullMarked
package dev.dibs.codegen;

import org.jspecify.annotations.NullMarked;
