package dev.dibs;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.ObjectInput;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jooq.DeleteReturningStep;
import org.jooq.UpdateReturningStep;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The rules of docs/design.md that hold for the code of core. */
final class ArchitectureTest {

    /** Outside of {@code dev.dibs.wake}: what waits for a free place, for the database to keep up, and for a worker's end. */
    private static final Set<String> ALSO_WAITING =
            Set.of("dev.dibs.Slots", "dev.dibs.Room", "dev.dibs.LeaseSettler", "dev.dibs.Worker");

    private static final int MOST_ARGUMENTS = 5;

    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(Queue.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void packagesDependOnlyOnThoseBeforeThem() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.dibs..")
                .layer("table")
                .definedBy("dev.dibs.table")
                .layer("time")
                .definedBy("dev.dibs.time")
                .layer("wake")
                .definedBy("dev.dibs.wake")
                .layer("spi")
                .definedBy("dev.dibs.spi")
                .layer("root")
                .definedBy("dev.dibs")
                .whereLayer("table")
                .mayNotAccessAnyLayer()
                .whereLayer("time")
                .mayOnlyAccessLayers("table")
                .whereLayer("wake")
                .mayOnlyAccessLayers("table", "time")
                .whereLayer("spi")
                .mayOnlyAccessLayers("table", "time", "wake")
                .whereLayer("root")
                .mayOnlyAccessLayers("table", "time", "wake", "spi")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CORE);
    }

    @Test
    void coreDependsOnJooqSlf4jAndJspecifyOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.dibs..", "java..", "org.jooq..", "org.slf4j..", "org.jspecify..")
                .check(CORE);
    }

    @Test
    void onlyThePackageTimeReadsClocks() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.dibs.time")
                .should()
                .accessTargetWhere(target("a clock is read", ArchitectureTest::readsAClock))
                .check(CORE);
    }

    @Test
    void nobodySleeps() {
        noClasses()
                .should()
                .accessTargetWhere(target("a thread sleeps, parks or spins", ArchitectureTest::sleeps))
                .check(CORE);
    }

    @Test
    void onlyThePackageWakeTheSlotsAndTheWorkerWait() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.dibs.wake")
                .and(describe("are not " + ALSO_WAITING, type -> !ALSO_WAITING.contains(type.getName())))
                .should()
                .accessTargetWhere(target("a thread waits", ArchitectureTest::waits))
                .check(CORE);
    }

    @Test
    void sharedCodeAsksNoUpdateAndNoDeleteToReturnRows() {
        noClasses()
                .should()
                .accessTargetWhere(target("a write returns rows", ArchitectureTest::returnsWhatItChanged))
                .because("on the MySQL family such an update becomes an insert, or the rows are lost")
                .check(CORE);
    }

    @Test
    void staticFieldsAreFinalAndCannotChangeWithin() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(SYNTHETIC)
                .should()
                .beFinal()
                .andShould()
                .haveRawType(describe("a value, a logger, or a collection of java.util", ArchitectureTest::isConstant))
                .check(CORE);
    }

    @Test
    void noConstantIsACollectionThatCanChange() {
        noClasses()
                .should()
                .accessTargetWhere(
                        describe("a static initializer makes a collection", ArchitectureTest::fillsAConstant))
                .because("List.of, Set.of and Map.of cannot change")
                .check(CORE);
    }

    @Test
    void instanceFieldsArePrivate() {
        fields().that()
                .areNotStatic()
                .and()
                .doNotHaveModifier(SYNTHETIC)
                .should()
                .bePrivate()
                .check(CORE);
    }

    @Test
    void classesAreFinalOrSealed() {
        classes()
                .that()
                .areNotInterfaces()
                .and()
                .areNotAnonymousClasses()
                .and()
                .doNotHaveModifier(SYNTHETIC)
                .should()
                .haveModifier(FINAL)
                .orShould(be(describe("sealed", type -> type.reflect().isSealed())))
                .check(CORE);
    }

    @Test
    void noClassInheritsFromAClassOfOurs() {
        noClasses()
                .should(have(describe(
                        "a class of dev.dibs above them",
                        type -> type.getRawSuperclass().stream()
                                .anyMatch(above -> above.getPackageName().startsWith("dev.dibs") && !above.isEnum()))))
                .check(CORE);
    }

    @Test
    void constructorsHaveAtMostFiveParameters() {
        constructors()
                .should(have(describe(
                        "at most %d parameters".formatted(MOST_ARGUMENTS),
                        constructor -> parameters(constructor) <= MOST_ARGUMENTS)))
                .check(CORE);
    }

    @Test
    void classesSayWhatTheyAre() {
        noClasses()
                .should()
                .haveNameMatching(".*[.$](\\w*(Impl|Manager|Helper|Utils?)|Abstract\\w*|I[A-Z][a-z]\\w*)")
                .check(CORE);
    }

    @Test
    void accessorsDoWithoutGetAndSet() {
        noMethods().should().haveNameMatching("(get|set)[A-Z]\\w*").check(CORE);
    }

    @Test
    void methodsUseTheFiveVerbsAndNoOthersForThem() {
        noMethods()
                .should()
                .haveNameMatching("(pick|fetch|ack|acknowledge|complete|dequeue|publish)([A-Z]\\w*)?")
                .because("they are enqueue, claim, handle, settle, wake")
                .check(CORE);
    }

    /** C22: no bytes become objects, and no name in data becomes a class. */
    @Test
    void c22NothingIsMadeFromBytesOrByAName() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInput.class)
                .orShould()
                .accessTargetWhere(target(
                        "a class is loaded by its name",
                        target -> isOf(target, Class.class, "forName")
                                || (target.getOwner().isAssignableTo(ClassLoader.class)
                                        && target.getName().equals("loadClass"))))
                .check(CORE);
    }

    @Test
    void whatHappensIsLoggedAndNotPrinted() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
    }

    @Test
    void whatIsThrownHasATypeOfItsOwn() {
        NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS.check(CORE);
    }

    private static DescribedPredicate<JavaAccess<?>> target(String description, Predicate<AccessTarget> predicate) {
        return describe(description, access -> predicate.test(access.getTarget()));
    }

    private static boolean readsAClock(AccessTarget target) {
        var owner = target.getOwner();
        var now = owner.getPackageName().equals("java.time") && target.getName().equals("now");
        var system = (owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class))
                && (target.getName().startsWith("system") || target.getName().startsWith("tick"));
        return now || system || isOf(target, System.class, "currentTimeMillis") || isOf(target, Date.class, "<init>");
    }

    private static boolean sleeps(AccessTarget target) {
        return isOf(target, Thread.class, "sleep")
                || isOf(target, Thread.class, "yield")
                || isOf(target, Thread.class, "onSpinWait")
                || isOf(target, TimeUnit.class, "sleep")
                || isOf(target, Object.class, "wait")
                || target.getOwner().isEquivalentTo(LockSupport.class);
    }

    // What of Java waits can be interrupted, or says in its name that it cannot; a future's join is the exception.
    private static boolean waits(AccessTarget target) {
        return target instanceof CodeUnitAccessTarget unit
                && unit.getOwner().getPackageName().startsWith("java.")
                && (unit.getThrowsClause().containsType(InterruptedException.class)
                        || unit.getName().endsWith("Uninterruptibly")
                        || (unit.getName().equals("join") && unit.getOwner().isAssignableTo(Future.class)));
    }

    private static boolean returnsWhatItChanged(AccessTarget target) {
        var owner = target.getOwner();
        return target.getName().startsWith("returning")
                && (owner.isAssignableTo(UpdateReturningStep.class) || owner.isAssignableTo(DeleteReturningStep.class));
    }

    private static boolean isConstant(JavaClass type) {
        return type.isPrimitive()
                || type.isEnum()
                || type.isRecord()
                || type.getPackageName().startsWith("java.time")
                || type.getPackageName().startsWith("org.jooq")
                || List.of(String.class, Logger.class, List.class, Set.class, Map.class).stream()
                        .anyMatch(type::isEquivalentTo);
    }

    private static boolean fillsAConstant(JavaAccess<?> access) {
        return access.getOrigin().getName().equals("<clinit>")
                && access.getTarget().getName().equals("<init>")
                && access.getTargetOwner().getPackageName().startsWith("java.util");
    }

    private static boolean isOf(AccessTarget target, Class<?> owner, String name) {
        return target.getOwner().isEquivalentTo(owner) && target.getName().equals(name);
    }

    // Each enum's constructor has a name and an ordinal before its own parameters.
    private static int parameters(JavaConstructor constructor) {
        var all = constructor.getRawParameterTypes().size();
        return constructor.getOwner().isEnum() ? all - 2 : all;
    }
}
