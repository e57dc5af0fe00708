package dev.dibs.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One run of the benchmarks.
 *
 * @param size how much is measured
 * @param only the ids of the figures that are wanted
 * @param jmhOptions JMH's own, on top of those of the size
 * @param folder where the report and the raw results go
 * @param progress is told what is being measured
 */
record Run(Size size, Pattern only, List<String> jmhOptions, Path folder, Consumer<String> progress) {

    /** Every figure. */
    static final Pattern EVERYTHING = Pattern.compile(".*");

    boolean wants(String id) {
        return only.matcher(id).matches();
    }

    /** Whether something is wanted that a quick run leaves out, unless it is asked for. */
    boolean wantsInFull(String id) {
        return wants(id) && !isShort();
    }

    /** Whether what matters less is left out. */
    boolean isShort() {
        return size.isQuick() && only.pattern().equals(EVERYTHING.pattern());
    }

    void step(String what) {
        progress.accept(what);
    }
}
