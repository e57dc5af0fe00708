/** What claims cost under contention, beside raw JDBC in the same run. */
@NullMarked
package dev.dibs.benchmarks;

import org.jspecify.annotations.NullMarked;
