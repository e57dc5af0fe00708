/** Real databases, a clock to move, and the contracts that every dialect keeps. */
@NullMarked
package dev.dibs.testkit;

import org.jspecify.annotations.NullMarked;
