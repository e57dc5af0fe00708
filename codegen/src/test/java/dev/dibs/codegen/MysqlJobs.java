package dev.dibs.codegen;

/** A table of MySQL, as jOOQ's XML describes databases. */
final class MysqlJobs {

    static final String DESCRIPTION = """
            <information_schema xmlns="http://www.jooq.org/xsd/jooq-meta-3.19.0.xsd">
              <schemata><schema><schema_name>shop</schema_name></schema></schemata>
              <tables><table><table_schema>shop</table_schema><table_name>jobs</table_name></table></tables>
              <columns>
            %s%s%s%s%s
              </columns>
              <table_constraints>
                <table_constraint>
                  <constraint_schema>shop</constraint_schema><constraint_name>jobs_pk</constraint_name>
                  <constraint_type>PRIMARY KEY</constraint_type>
                  <table_schema>shop</table_schema><table_name>jobs</table_name>
                </table_constraint>
              </table_constraints>
              <key_column_usages>
                <key_column_usage>
                  <constraint_schema>shop</constraint_schema><constraint_name>jobs_pk</constraint_name>
                  <table_schema>shop</table_schema><table_name>jobs</table_name>
                  <column_name>id</column_name><ordinal_position>1</ordinal_position>
                </key_column_usage>
              </key_column_usages>
            </information_schema>
            """.formatted(
                    column(1, "id", "bigint", false),
                    column(2, "payload", "text", false),
                    column(3, "due_at", "timestamp", false),
                    column(4, "leased_until", "datetime", true),
                    column(5, "finished_at", "datetime", true));

    private MysqlJobs() {}

    private static String column(int position, String name, String type, boolean isNullable) {
        return """
                <column>
                  <table_schema>shop</table_schema><table_name>jobs</table_name>
                  <column_name>%s</column_name><data_type>%s</data_type>
                  <ordinal_position>%d</ordinal_position><is_nullable>%b</is_nullable>
                </column>
                """.formatted(name, type, position, isNullable);
    }
}
