package dev.dibs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text of a failure, such that every database can store it. */
final class ErrorText {

    /** Enough for a message and the causes that matter, and no burden to a row that is read at each claim. */
    static final int LONGEST = 4_000;

    /** What even a short column holds. */
    private static final int SHORT = 200;

    private static final int MOST_CAUSES = 10;

    private ErrorText() {}

    /** What was thrown, with its causes, in one text. */
    static String of(Throwable thrown) {
        var text = new StringBuilder(told(thrown));
        var cause = causeOf(thrown);
        for (int depth = 0; cause != null && depth < MOST_CAUSES && text.length() < LONGEST; depth++) {
            text.append("\ncaused by: ").append(told(cause));
            cause = causeOf(cause);
        }
        return text.toString();
    }

    /** The text as any column can hold it that holds a text at all, whatever its character set and length. */
    static String plain(String text) {
        var cut = text.length() > SHORT ? text.substring(0, SHORT) : text;
        return cut.replaceAll("[^\\x09\\x0A\\x20-\\x7E]", "?");
    }

    // What is thrown is the user's code too: its text may be null, and asking for it may throw.
    private static String told(Throwable thrown) {
        try {
            return Objects.requireNonNullElse(
                    thrown.toString(), thrown.getClass().getName());
        } catch (RuntimeException | Error silent) {
            return thrown.getClass().getName();
        }
    }

    private static @Nullable Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (RuntimeException | Error silent) {
            return null;
        }
    }

    /**
     * The text without NUL, which PostgreSQL refuses, and cut before it is longer than the column.
     *
     * @param columnLength in characters, or 0 where the column has no limit
     */
    static String storable(String text, int columnLength) {
        var clean = text.indexOf('\0') < 0 ? text : text.replace("\0", "");
        var limit = columnLength > 0 ? Math.min(columnLength, LONGEST) : LONGEST;
        if (clean.length() <= limit) {
            return clean;
        }
        var end = Character.isHighSurrogate(clean.charAt(limit - 1)) ? limit - 1 : limit;
        return clean.substring(0, end);
    }
}
