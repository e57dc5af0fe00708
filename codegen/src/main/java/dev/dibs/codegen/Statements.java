package dev.dibs.codegen;

import dev.dibs.table.QueueException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jooq.meta.Database;
import org.jooq.meta.TableDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Which tables are stated to be queues: by properties of the configuration's {@code <database>}, or by their comments.
 *
 * <p>A property's key is {@code dibs:} and a regular expression for tables' names, its value a {@link Statement}. A comment
 * has the statement at the end of a line, after {@code dibs:}. Where a property matches, the comment is not read.
 */
final class Statements {

    static final String MARK = "dibs:";

    private static final Pattern IN_COMMENT = Pattern.compile("(?:^|\\s)dibs:(.*)$", Pattern.MULTILINE);

    private final Map<String, String> properties;

    private Statements(Map<String, String> properties) {
        this.properties = properties;
    }

    /** The statements of a database's configuration and comments. */
    static Statements of(Database database) {
        var properties = new TreeMap<String, String>();
        database.getProperties().forEach((key, value) -> {
            if (key.toString().startsWith(MARK)) {
                properties.put(key.toString().substring(MARK.length()).strip(), value.toString());
            }
        });
        properties.keySet().forEach(expression -> requireMatch(expression, database.getTables()));
        return new Statements(properties);
    }

    /** What is stated of a table, if it is stated to be a queue. */
    Optional<Statement> find(TableDefinition table) {
        var found = properties.keySet().stream()
                .filter(expression -> isMatched(expression, table))
                .toList();
        if (found.size() > 1) {
            throw new QueueException(
                    "table %s: several properties match it, %s%s; make them differ, so that one of them states its mapping"
                            .formatted(Mapping.name(table), MARK, String.join(" and " + MARK, found)));
        }
        var text = found.isEmpty() ? inComment(table.getComment()) : Optional.ofNullable(properties.get(found.get(0)));
        return text.filter(stated -> !stated.strip().equals(Statement.NONE))
                .map(stated -> Statement.of(Mapping.name(table), stated));
    }

    private static Optional<String> inComment(@Nullable String comment) {
        return Optional.ofNullable(comment)
                .map(IN_COMMENT::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1));
    }

    private static void requireMatch(String expression, List<TableDefinition> tables) {
        if (tables.stream().noneMatch(table -> isMatched(expression, table))) {
            throw new QueueException("property %s%s: no table that is generated has such a name; the tables are %s"
                    .formatted(
                            MARK,
                            expression,
                            tables.stream().map(Mapping::name).sorted().toList()));
        }
    }

    private static boolean isMatched(String expression, TableDefinition table) {
        var pattern = pattern(expression);
        return table.getPartiallyQualifiedNames().stream()
                .anyMatch(name -> pattern.matcher(name).matches());
    }

    private static Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException broken) {
            throw new QueueException(
                    "property %s%s: this is no regular expression; write one that matches the names of tables (%s)"
                            .formatted(MARK, expression, broken.getDescription()),
                    broken);
        }
    }
}
