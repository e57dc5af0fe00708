package dev.dibs.codegen;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a table is stated to be: a queue in one of the lock forms, or the place of another table's dead letters. */
enum TableForm {
    LEASE,
    ROW_LOCK,
    ADVISORY,
    DEAD_LETTERS;

    /** The form that a statement's first word names, if it names one. */
    static Optional<TableForm> named(String word) {
        return Arrays.stream(values()).filter(form -> form.word().equals(word)).findFirst();
    }

    /** All words that name a form, as messages list them. */
    static String words() {
        return Arrays.stream(values()).map(TableForm::word).collect(Collectors.joining(", "));
    }

    /** Whether rows of such a table are claimed, and so have need of indexes. */
    boolean isClaimed() {
        return this != DEAD_LETTERS;
    }

    /** What such a table is, as the log of a build says it. */
    String description() {
        return isClaimed() ? "a queue table in the %s form".formatted(this) : "a table of dead letters";
    }

    /** What the generated class of a table maps, as its documentation says it. */
    String content(String table) {
        return isClaimed()
                ? "Queues in the table <code>%s</code>, in the %s form.".formatted(table, this)
                : "Dead letters in the table <code>%s</code>.".formatted(table);
    }

    /** The form's name as messages write it. */
    @Override
    public String toString() {
        return word().replace('-', ' ');
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
