package dev.dibs.codegen;

import dev.dibs.table.Part;
import java.util.List;
import java.util.Locale;
import org.jooq.meta.ColumnDefinition;

/** The names by which columns are known to play a part where none is stated to. */
final class Convention {

    private Convention() {}

    /** Whether a column has one of a part's names, in upper or lower case. */
    static boolean isNamed(ColumnDefinition column, Part part) {
        return names(part).contains(column.getName().toLowerCase(Locale.ROOT));
    }

    /** A part's names, in lower case. */
    static List<String> names(Part part) {
        return switch (part) {
            case ID -> List.of("id");
            case PAYLOAD -> List.of("payload", "body");
            case QUEUE -> List.of("queue", "queue_name");
            case PRIORITY -> List.of("priority");
            case DUE_AT -> List.of("due_at", "run_at", "scheduled_at", "available_at", "retry_at");
            case ATTEMPT -> List.of("attempt", "attempts");
            case LEASED_UNTIL -> List.of("leased_until", "locked_until");
            case LEASE_TOKEN -> List.of("lease_token", "lock_token");
            case FINISHED_AT -> List.of("finished_at", "completed_at");
            case DEDUP_KEY -> List.of("dedup_key", "idempotency_key");
            case CREATED_AT -> List.of("created_at", "inserted_at");
            case HEADERS -> List.of("headers");
            case ERROR -> List.of("error", "last_error");
            // Each claim costs more with an order, so that it is stated or not there.
            case ORDER_KEY -> List.of();
        };
    }
}
