package dev.dibs.testkit;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Says in one line, at the end of the tests, which databases they ran on. */
public final class DatabaseReport implements TestExecutionListener {

    /** For {@link java.util.ServiceLoader}. */
    public DatabaseReport() {}

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        TestDatabase.summary().ifPresent(summary -> System.out.println("Test databases: " + summary));
    }
}
