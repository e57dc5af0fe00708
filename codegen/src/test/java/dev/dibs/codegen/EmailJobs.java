package dev.dibs.codegen;

/** The table most tests generate from, and what they state of it. */
final class EmailJobs {

    static final String TABLE = """
            create table email_jobs (
              job_id       integer primary key autoincrement,
              name         varchar(50) not null,
              payload      text not null,
              priority     int not null default 0,
              retry_at     bigint not null default 0,
              attempt      int not null default 0,
              locked_until bigint,
              note         text
            )""";

    static final String INDEX = "create index email_jobs_claim on email_jobs (name, priority, retry_at, job_id)";

    static final String STATEMENT = "lease queue=name";

    static final String MAPPING = "tables.queues.EmailJobsQueue";

    private EmailJobs() {}

    /** The table with one column in other words, which begin with its name. */
    static String with(String column) {
        var name = column.split(" ", 2)[0];
        return TABLE.replaceFirst("(?m)^ +%s .*?(,?)$".formatted(name), "  " + column + "$1");
    }

    /** The table without a column. */
    static String without(String name) {
        return TABLE.replaceFirst("(?m)^ +%s .*\\n".formatted(name), "");
    }
}
