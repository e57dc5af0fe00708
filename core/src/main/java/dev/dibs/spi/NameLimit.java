package dev.dibs.spi;

import dev.dibs.table.Column;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.nio.charset.StandardCharsets;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The longest name of a table or a column that a database keeps as it is. */
public final class NameLimit {

    private final int longest;
    private final String unit;
    private final ToIntFunction<String> size;

    private NameLimit(int longest, String unit, ToIntFunction<String> size) {
        this.longest = longest;
        this.unit = unit;
        this.size = size;
    }

    /** A limit that counts the bytes of UTF-8. */
    public static NameLimit bytes(int longest) {
        return new NameLimit(longest, "bytes", name -> name.getBytes(StandardCharsets.UTF_8).length);
    }

    /** A limit that counts characters. */
    public static NameLimit characters(int longest) {
        return new NameLimit(longest, "characters", name -> name.codePointCount(0, name.length()));
    }

    /** Refuses a mapping with a longer name. */
    public void check(QueueRef queue) {
        check(queue, queue.table());
        if (queue.table().destination() instanceof DeadLetters.OtherTable dead) {
            check(queue, dead.table());
        }
    }

    private void check(QueueRef queue, QueueTable<?> table) {
        var columns = table.columns().stream().map(Column::field).map(field -> field.getName());
        Stream.concat(Stream.of(table.table().getQualifiedName().getName()), columns)
                .filter(name -> size.applyAsInt(name) > longest)
                .findFirst()
                .ifPresent(name -> {
                    throw new QueueException(
                            "%s: the name \"%s\" has %d %s, and the database keeps %d; rename the table or column in the database and in its mapping"
                                    .formatted(queue, name, size.applyAsInt(name), unit, longest));
                });
    }
}
