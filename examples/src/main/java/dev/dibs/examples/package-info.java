/** Programs that show Dibs at work, each of them also a test. */
@NullMarked
package dev.dibs.examples;

import org.jspecify.annotations.NullMarked;
