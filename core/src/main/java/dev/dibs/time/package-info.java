/** Time as a queue sees it: whose clock tells it, and how each kind of column holds it. */
@NullMarked
package dev.dibs.time;

import org.jspecify.annotations.NullMarked;
