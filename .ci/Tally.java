import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Adds up what surefire and failsafe report below the working directory, and judges it.
 *
 * <p>{@code java Tally.java LEG TOTALS} prints the counts of each module and of the leg, appends those of the leg to
 * the file TOTALS, and fails where a test failed, a test was skipped or none ran. {@code java Tally.java TOTALS} prints
 * the sum of that file as one line.
 */
final class Tally {

    /** What became of a number of tests. */
    record Counts(int tests, int failures, int errors, int skipped) {

        static final Counts NONE = new Counts(0, 0, 0, 0);

        static Counts sum(Stream<Counts> all) {
            return all.reduce(NONE, Counts::plus);
        }

        Counts plus(Counts other) {
            return new Counts(
                    tests + other.tests, failures + other.failures, errors + other.errors, skipped + other.skipped);
        }

        int failed() {
            return failures + errors;
        }

        int passed() {
            return tests - failed() - skipped;
        }
    }

    /** One report: the counts of one test class, and a line for each of its tests that did not pass. */
    record Report(String module, Counts counts, List<String> notPassed) {

        static Report read(Path file) {
            try {
                var suite = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(file.toFile())
                        .getDocumentElement();
                return new Report(module(file), counts(suite), notPassed(suite));
            } catch (Exception e) {
                throw new IllegalStateException(
                        file + " is no whole report (was its JVM killed?): " + e.getMessage(), e);
            }
        }

        /**
         * Surefire's own counts, but never less than the outcomes that stand in the report. A class without a test was
         * skipped as a whole: some versions of surefire write nothing about an assumption that fails before all tests.
         */
        private static Counts counts(Element suite) {
            if (isEmpty(suite)) {
                return new Counts(1, 0, 0, 1);
            }
            return new Counts(
                    Math.max(number(suite, "tests"), size(suite, "testcase")),
                    Math.max(number(suite, "failures"), size(suite, "failure")),
                    Math.max(number(suite, "errors"), size(suite, "error")),
                    Math.max(number(suite, "skipped"), size(suite, "skipped")));
        }

        private static boolean isEmpty(Element suite) {
            return number(suite, "tests") == 0 && size(suite, "testcase") == 0;
        }

        private static int number(Element suite, String attribute) {
            return Integer.parseInt(suite.getAttribute(attribute));
        }

        private static int size(Element suite, String tag) {
            return suite.getElementsByTagName(tag).getLength();
        }

        private static List<String> notPassed(Element suite) {
            var lines = new ArrayList<String>();
            for (var outcome : List.of("failure", "error", "skipped")) {
                var found = suite.getElementsByTagName(outcome);
                IntStream.range(0, found.getLength())
                        .mapToObj(i -> (Element) found.item(i))
                        .forEach(element -> lines.add(line(outcome, element)));
            }
            if (isEmpty(suite)) {
                lines.add("skipped: %s: no test of this class ran".formatted(suite.getAttribute("name")));
            }
            return lines;
        }

        private static String line(String outcome, Element element) {
            var test = (Element) element.getParentNode();
            var message = (element.getAttribute("message") + "\n" + element.getTextContent())
                    .lines()
                    .filter(text -> !text.isBlank())
                    .findFirst()
                    .orElse("no message");
            return "%s: %s %s: %s"
                    .formatted(outcome, test.getAttribute("classname"), test.getAttribute("name"), message);
        }

        private static String module(Path file) {
            var path = file.normalize().toString();
            var target = path.indexOf("target/");
            return target == 0 ? "(root)" : path.substring(0, target - 1);
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 1) {
            printSum(Path.of(arguments[0]));
        } else if (!passes(arguments[0], Path.of(arguments[1]))) {
            System.exit(1);
        }
    }

    private static boolean passes(String leg, Path totals) throws IOException {
        var reports = reports();
        var modules = new TreeMap<String, Counts>();
        reports.forEach(report -> modules.merge(report.module(), report.counts(), Counts::plus));
        var all = Counts.sum(modules.values().stream());

        System.out.printf("%n%-32s %7s %9s %7s %8s%n", "Tests of: " + leg, "tests", "failures", "errors", "skipped");
        modules.forEach(Tally::print);
        print("all", all);
        reports.forEach(report -> report.notPassed().forEach(System.out::println));
        Files.writeString(
                totals,
                "%d %d %d%n".formatted(all.passed(), all.failed(), all.skipped()),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);

        if (all.tests() == 0) {
            System.out.println("no test ran");
        }
        if (all.skipped() > 0) {
            System.out.println("a test was skipped; here each one must run");
        }
        return all.tests() > 0 && all.failed() == 0 && all.skipped() == 0;
    }

    private static List<Report> reports() throws IOException {
        try (var files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString()
                            .matches("(.*/)?target/(.*/)?(surefire|failsafe)-reports/TEST-[^/]*\\.xml"))
                    .sorted()
                    .map(Report::read)
                    .toList();
        }
    }

    private static void print(String name, Counts counts) {
        System.out.printf(
                "%-32s %7d %9d %7d %8d%n", name, counts.tests(), counts.failures(), counts.errors(), counts.skipped());
    }

    private static void printSum(Path totals) throws IOException {
        var sum = new int[3];
        for (var line : Files.readAllLines(totals)) {
            var numbers = line.split(" ");
            IntStream.range(0, sum.length).forEach(i -> sum[i] += Integer.parseInt(numbers[i]));
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", sum[0], sum[1], sum[2]);
    }
}
