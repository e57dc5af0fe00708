package dev.dibs.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** What was found so far. For one thread at a time. */
final class Findings {

    private final Pattern only;
    private final UnaryOperator<String> command;
    private final List<Figure> figures = new ArrayList<>();
    private final List<Point> points = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /**
     * Nothing found yet.
     *
     * @param only the ids of the figures that are wanted
     * @param command what repeats the figure of an id
     */
    Findings(Pattern only, UnaryOperator<String> command) {
        this.only = only;
        this.command = command;
    }

    /** A figure that matters; left out if it is not one of those that are wanted. */
    void figure(String id, double value) {
        if (only.matcher(id).matches() && Double.isFinite(value)) {
            figures.add(Figure.of(id, value, command.apply(id)));
        }
    }

    /** A value for a plot. */
    void point(Point point) {
        points.add(point);
    }

    /** What a reader has to know beside the values. */
    void remark(String text) {
        remarks.add(text);
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    List<Point> points() {
        return List.copyOf(points);
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }
}
