package dev.dibs.benchmarks;

import java.util.List;

/** Something that is measured on one database at a time. Stateless. */
interface Scenario {

    /** What it is, for people. */
    String name();

    /** The ids of the figures that it finds on a database; empty where it is not for that database. */
    List<String> ids(Database database);

    /** Measures, and adds what was found. */
    void measure(Run run, Database database, Findings findings) throws Exception;
}
