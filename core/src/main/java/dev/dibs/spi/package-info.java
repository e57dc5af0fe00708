/** What a database brings to be a queue: its claims and its transactions, one small class for each form. */
@NullMarked
package dev.dibs.spi;

import org.jspecify.annotations.NullMarked;
