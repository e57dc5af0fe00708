/** Wake-ups: hints to look again, never needed for a message to be found. */
@NullMarked
package dev.dibs.wake;

import org.jspecify.annotations.NullMarked;
