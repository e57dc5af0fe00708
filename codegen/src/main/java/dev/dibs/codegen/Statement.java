package dev.dibs.codegen;

import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is stated of a queue table, such as {@code lease attempt dueAt=retry_at}: its form, the parts that are to be played, and columns that the conventional names do not tell, or tell wrongly.
 *
 * @param columns the names of columns, {@link #NONE}, or {@link #SOME}
 * @param lockKey the names of the lock key's columns, in the advisory form
 */
record Statement(TableForm form, Map<Part, String> columns, List<String> lockKey) {

    /** Written instead of a column where none is to play a part. */
    static final String NONE = "-";

    /** Stands for the column with a conventional name, which must be there. */
    private static final String SOME = "";

    private static final String LOCK_KEY = "lockKey";

    /**
     * Reads a statement.
     *
     * @param table the table's name, for messages
     */
    static Statement of(String table, String text) {
        var words = List.of(text.strip().split("\\s+"));
        var form = form(table, text, words.get(0));
        var columns = new EnumMap<Part, String>(Part.class);
        var lockKey = Optional.<String>empty();
        for (var word : words.subList(1, words.size())) {
            var name = word.split("=", 2)[0];
            var column = column(table, word);
            var before = name.equals(LOCK_KEY) ? lockKey : Optional.ofNullable(columns.put(part(table, name), column));
            requireOnce(table, name, before, column);
            lockKey = name.equals(LOCK_KEY) ? Optional.of(column) : lockKey;
        }
        requireLockKeyOf(form, table, lockKey);
        return new Statement(form, columns, lockKey.map(Statement::columnsOf).orElseGet(List::of));
    }

    /** Whether it is stated that no column plays a part. */
    boolean excludes(Part part) {
        return NONE.equals(columns.get(part));
    }

    /** Whether it is stated that some column plays a part. */
    boolean demands(Part part) {
        return SOME.equals(columns.get(part));
    }

    /** The column that is stated to play a part, if one is. */
    Optional<String> column(Part part) {
        return Optional.ofNullable(columns.get(part)).filter(column -> !excludes(part) && !demands(part));
    }

    private static TableForm form(String table, String text, String word) {
        return TableForm.named(word)
                .orElseThrow(() -> new QueueException(
                        "table %s: \"dibs: %s\" does not begin with a lock form; begin with one of %s"
                                .formatted(table, text.strip(), TableForm.words())));
    }

    private static String column(String table, String word) {
        var sign = word.indexOf('=');
        if (sign == word.length() - 1) {
            throw new QueueException(
                    "table %s: \"%s\" names no column; write one after the sign, or %s where none is to play the part"
                            .formatted(table, word, NONE));
        }
        return sign < 0 ? SOME : word.substring(sign + 1);
    }

    private static Part part(String table, String name) {
        return Arrays.stream(Part.values())
                .filter(part -> part.toString().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new QueueException("table %s: \"%s\" is no part of a queue table; the parts are %s and %s"
                                .formatted(table, name, parts(), LOCK_KEY)));
    }

    private static String parts() {
        return Arrays.stream(Part.values()).map(Part::toString).collect(Collectors.joining(", "));
    }

    private static void requireOnce(String table, String name, Optional<String> before, String column) {
        if (before.isPresent()) {
            throw new QueueException(
                    "table %s: two columns are stated for the part %s, \"%s\" and \"%s\"; leave one of them out"
                            .formatted(table, name, before.get(), column));
        }
    }

    private static void requireLockKeyOf(TableForm form, String table, Optional<String> lockKey) {
        if (form == TableForm.ADVISORY
                && lockKey.filter(key -> !key.equals(SOME)).isEmpty()) {
            throw new QueueException(
                    "table %s: the form advisory is stated without the columns of its key; add lockKey=column,column, or lockKey=%s for one key of the whole table"
                            .formatted(table, NONE));
        }
        if (form != TableForm.ADVISORY && lockKey.isPresent()) {
            throw new QueueException(
                    "table %s: lockKey=%s is stated beside the form %s; state advisory, or leave it out"
                            .formatted(table, lockKey.get(), form));
        }
    }

    private static List<String> columnsOf(String list) {
        return list.equals(NONE) ? List.of() : List.of(list.split(",", -1));
    }
}
