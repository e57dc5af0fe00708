/** Something. */
@NullMarked
package dev.dibs.codegen;

import org.jspecify.annotations.NullMarked;
