package dev.dibs.codegen;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.dibs.spi.ClaimIndex;
import dev.dibs.spi.KeptRows;
import org.junit.jupiter.api.Test;

/** The rules that hold for the generator's code. */
final class ArchitectureTest {

    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackagesOf(QueueGenerator.class);

    @Test
    void ofDibsTheGeneratorSeesHowTablesAndTimesAreMappedAndWhichIndexClaimsRead() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.dibs..")
                        .or(resideInAnyPackage("dev.dibs.codegen", "dev.dibs.table", "dev.dibs.time"))
                        .or(belongToAnyOf(ClaimIndex.class, KeptRows.class)))
                .check(CODE);
    }

    @Test
    void itDependsOnCoreJooqAndJspecifyOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("dev.dibs..", "java..", "org.jooq..", "org.jspecify.."))
                .check(CODE);
    }

    @Test
    void onlyTheGeneratorAndWhatAnotherOneNeedsAreSeen() {
        classes()
                .that()
                .arePublic()
                .should()
                .be(QueueGenerator.class)
                .orShould()
                .be(QueueClass.class)
                .check(CODE);
    }

    @Test
    void onlyTheGeneratorIsExtended() {
        classes()
                .that()
                .doNotBelongToAnyOf(QueueGenerator.class)
                .and()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(CODE);
    }

    @Test
    void fieldsNeverChange() {
        fields().that()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .check(CODE);
    }

    @Test
    void accessorsDoWithoutGetAndSet() {
        noMethods().should().haveNameMatching("(get|set)[A-Z]\\w*").check(CODE);
    }

    @Test
    void whatHappensIsLoggedAndNotPrinted() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CODE);
    }

    @Test
    void whatIsThrownHasATypeOfItsOwn() {
        NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS.check(CODE);
    }
}
