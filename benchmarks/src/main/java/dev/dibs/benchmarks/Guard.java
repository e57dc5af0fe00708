package dev.dibs.benchmarks;

import dev.dibs.table.LockForm;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Fails where a worker has become very much slower than raw JDBC; the bounds leave a third for noise. */
@Command(
        name = "guard",
        mixinStandardHelpOptions = true,
        description =
                "Under two minutes: fails where a worker is less than a third as quick, beside raw JDBC, as it was.")
final class Guard implements Callable<Integer> {

    private static final Size.Draining SIZE = new Size.Draining(20_000, 5, 3);
    private static final int ROWS = 100;

    private static final List<Bound> BOUNDS =
            List.of(new Bound(Database.POSTGRESQL, 4, 0.25), new Bound(Database.SQLITE, 1, 0.15));

    @Override
    public Integer call() throws Exception {
        var isKept = true;
        for (var bound : BOUNDS) {
            var raw = BurnDown.rate(
                    Entrant.raw(bound.database(), LockForm.LEASE, bound.rawThreads(), ROWS), bound.database(), SIZE);
            var worker = BurnDown.rate(Entrant.dibs().get(0), bound.database(), SIZE);
            isKept &= bound.isKept(worker / raw);
        }
        return isKept ? 0 : 1;
    }

    /** The least ratio of a worker's messages a second to those of a raw loop of a hundred rows. */
    private record Bound(Database database, int rawThreads, double least) {

        boolean isKept(double ratio) {
            System.out.printf(
                    "%s: a worker is %.2f times as quick as the raw loop; at least %.2f is wanted%n",
                    database.label(), ratio, least);
            return ratio >= least;
        }
    }
}
