package dev.dibs.benchmarks;

/**
 * A value on a plot.
 *
 * @param series whose value it is
 * @param place where along the axis, as people read it
 */
record Point(Chart chart, Database database, String series, String place, double value) {}
