package dev.dibs.benchmarks;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * One of the figures that matter, as {@code summary.json} has it.
 *
 * @param id what it is, such as "postgresql.lease.worker.vs-raw-batch"
 * @param value what was measured
 * @param unit "ratio", "ms" or "count"
 * @param target what is wanted; null where nothing is
 * @param met whether it is reached; null where nothing is wanted
 * @param command repeats this figure alone
 */
@JsonPropertyOrder({"id", "value", "unit", "target", "met", "command"})
record Figure(
        @JsonProperty String id,
        @JsonProperty double value,
        @JsonProperty String unit,
        @JsonProperty @Nullable Target target,
        @JsonProperty @Nullable Boolean met,
        @JsonProperty String command) {

    private static final MathContext DIGITS = new MathContext(3);

    static Figure of(String id, double value, String command) {
        var target = Target.of(id).orElse(null);
        return new Figure(id, value, unit(id), target, target == null ? null : target.isMetBy(value), command);
    }

    private static String unit(String id) {
        if (id.contains(".wake.")) {
            return "ms";
        }
        return id.endsWith(".deadlocks") ? "count" : "ratio";
    }

    /** The value in three digits. */
    String text() {
        return text(value);
    }

    /** "missed", "met", or nothing where nothing is wanted. */
    String verdict() {
        if (met == null) {
            return "";
        }
        return met ? "met" : "missed";
    }

    static String text(double value) {
        return value == 0
                ? "0"
                : BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
