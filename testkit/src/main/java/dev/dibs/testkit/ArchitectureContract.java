package dev.dibs.testkit;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.dibs.spi.Dialect;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What a dialect's code may see and do.
 *
 * <p>A dialect extends it with a class that names its {@link Dialect}; every class that is packed with it is looked at.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ArchitectureContract {

    private final String own;
    private final JavaClasses code;

    /** The contract for the code of a dialect. */
    protected ArchitectureContract(Class<? extends Dialect> dialect) {
        this.own = dialect.getPackageName();
        this.code = new ClassFileImporter()
                .importUrl(dialect.getProtectionDomain().getCodeSource().getLocation());
    }

    @Test
    void ofDibsADialectSeesTheSeamAndThePackagesBeforeItAlone() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.dibs..")
                        .or(resideInAnyPackage(
                                own, "dev.dibs.spi", "dev.dibs.table", "dev.dibs.time", "dev.dibs.wake")))
                .check(code);
    }

    @Test
    void aDialectReadsNoClockAndNeverSleeps() {
        noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(TimeUnit.class, "sleep", long.class)
                .because("the package time reads clocks, and Signal alone sleeps")
                .check(code);
    }
}
