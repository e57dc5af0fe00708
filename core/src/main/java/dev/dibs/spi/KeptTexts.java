package dev.dibs.spi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.impl.CustomField;
import org.jooq.impl.DSL;

/**
 * The texts of statements that are executed again and again, each written by jOOQ once.
 *
 * <p>jOOQ writes a statement's text for each execution, which takes about as long as the database needs for a claim, and
 * several times that until the JVM has compiled it.
 *
 * <p>Statements of one kind have one text. They differ in what is {@link #given}; all other parameters have the same values
 * in all of them. Safe for any thread.
 */
public final class KeptTexts {

    private final Map<Object, KeptText> texts = new ConcurrentHashMap<>();

    /** No texts yet. */
    public KeptTexts() {}

    /** A value in a statement that differs between those of one kind. */
    public static <T> Field<T> given(String name, DataType<T> type, Object value) {
        var parameter = DSL.val(value, type);
        return CustomField.of(name, type, context -> KeptText.write(name, parameter, context));
    }

    /**
     * Executes a query.
     *
     * @param values what is given, by name
     * @param query any one of the kind
     */
    public Result<Record> rows(
            DSLContext dsl, Object kind, Map<String, ?> values, Supplier<? extends ResultQuery<?>> query) {
        return texts.computeIfAbsent(kind, first -> KeptText.of(dsl, query.get()))
                .rows(dsl, values);
    }

    /** Executes a statement that returns no rows; answers how many it has written. */
    public int execute(DSLContext dsl, Object kind, Map<String, ?> values, Supplier<? extends Query> query) {
        return texts.computeIfAbsent(kind, first -> KeptText.of(dsl, query.get()))
                .execute(dsl, values);
    }
}
