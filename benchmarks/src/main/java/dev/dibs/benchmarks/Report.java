package dev.dibs.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a person who decides is shown: one HTML file that needs nothing beside itself.
 *
 * @param facts what it was measured on
 * @param databases those that were measured
 */
public record Report(Size size, Findings findings, Map<String, String> facts, List<Database> databases) {

    private static final TemplateEngine TEMPLATES =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Report.class.getClassLoader());
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String PLOTTER = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

    /** Writes the page, the figures that matter, and all values, into a folder. */
    static void write(Path folder, Report report) throws IOException {
        Files.createDirectories(folder);
        JSON.writeValue(folder.resolve("summary.json").toFile(), report.findings.figures());
        JSON.writeValue(folder.resolve("points.json").toFile(), report.findings.points());
        Files.writeString(folder.resolve("index.html"), report.html());
    }

    /** The figures, for a terminal. */
    static String table(Findings findings) {
        return findings.figures().stream()
                .map(figure -> "%-52s %10s %-6s %-8s %s"
                        .formatted(
                                figure.id(),
                                figure.text(),
                                figure.unit(),
                                figure.target() == null ? "" : figure.target(),
                                figure.verdict()))
                .collect(Collectors.joining("\n"));
    }

    String html() {
        var page = new StringOutput();
        TEMPLATES.render("report.jte", Map.of("report", this, "plotter", plotter()), page);
        return page.toString();
    }

    /** The size's name. */
    public String title() {
        return size.name() + " run";
    }

    /** What it was measured on, by name. */
    @Override
    public Map<String, String> facts() {
        return facts;
    }

    /** The figures that matter, a row each: id, value, target, verdict, command. */
    public List<Row> rows() {
        return findings.figures().stream()
                .map(figure -> new Row(
                        figure.id(),
                        figure.unit().equals("ms") ? figure.text() + " ms" : figure.text(),
                        figure.target() == null ? "" : figure.target().toString(),
                        figure.verdict(),
                        figure.command()))
                .toList();
    }

    /** What to know beside the values. */
    public List<String> remarks() {
        return findings.remarks();
    }

    /** What the raw loops say, by database and purpose. */
    public Map<String, String> statements() {
        var statements = new LinkedHashMap<String, String>();
        databases.forEach(database -> RawJdbc.statements(database)
                .forEach((purpose, text) -> statements.put("%s, %s".formatted(database, purpose), text)));
        return statements;
    }

    /** The plots, in the order of their kinds. */
    public List<Plot> plots() {
        var plots = new ArrayList<Plot>();
        for (var chart : Chart.values()) {
            for (var database : Database.values()) {
                var points = findings.points().stream()
                        .filter(point -> point.chart() == chart && point.database() == database)
                        .toList();
                if (!points.isEmpty()) {
                    plots.add(Plot.of(chart, database, points));
                }
            }
        }
        return plots;
    }

    /** The plots' values as JSON, fit to stand in a script. */
    public String plotsAsJson() {
        try {
            return JSON.writeValueAsString(plots()).replace("</", "<\\/");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String plotter() {
        try (var script = Objects.requireNonNull(Report.class.getResourceAsStream(PLOTTER), PLOTTER)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A figure as the page shows it. */
    public record Row(String id, String value, String target, String verdict, String command) {}

    /**
     * A plot as the page draws it.
     *
     * @param places along the axis
     * @param series the values at these places by the series' name; null where there is none
     */
    public record Plot(
            String title,
            String meaning,
            String across,
            String up,
            boolean isLogarithmic,
            List<String> places,
            Map<String, List<@Nullable Double>> series) {

        static Plot of(Chart chart, Database database, List<Point> points) {
            var places = points.stream()
                    .map(Point::place)
                    .distinct()
                    .sorted(Comparator.comparingLong(Plot::number))
                    .toList();
            var values = new LinkedHashMap<String, Map<String, Double>>();
            points.forEach(point -> values.computeIfAbsent(point.series(), name -> new LinkedHashMap<>())
                    .put(point.place(), point.value()));
            var series = new LinkedHashMap<String, List<@Nullable Double>>();
            values.forEach((name, byPlace) -> series.put(
                    name, places.stream().map(byPlace::get).collect(Collectors.toCollection(ArrayList::new))));
            return new Plot(
                    "%s: %s".formatted(database.label(), chart.title()),
                    chart.meaning(),
                    chart.across(),
                    chart.up(),
                    chart.isLogarithmic(),
                    places,
                    series);
        }

        // Places that are no numbers keep their order.
        private static long number(String place) {
            var digits = place.replace(",", "");
            return digits.chars().allMatch(Character::isDigit) && !digits.isEmpty() ? Long.parseLong(digits) : 0;
        }
    }
}
