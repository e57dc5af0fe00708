package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NullAway looks at this project's packages: with the build's own arguments, what it must refuse does not compile. */
final class NullAwayIsOnTest {
    private static List<String> argumentsOfTheBuild = List.of();

    @TempDir
    private Path classes;

    @BeforeAll
    static void readArgumentsOfTheBuild() {
        var arguments = System.getProperty("dibs.javac.arguments", "");
        assertThat(arguments)
                .as("javac's arguments, handed over by core/pom.xml")
                .isNotBlank();
        argumentsOfTheBuild = arguments.lines().map(String::strip).toList();
    }

    @Test
    void dereferencingNullableInOurPackageDoesNotCompile() throws IOException {
        var errors = errorsOf("""
                package dev.dibs;

                import org.jspecify.annotations.Nullable;

                final class Sample {
                    private Sample() {}

                    static int length(@Nullable String text) {
                        return text.length();
                    }
                }
                """);

        assertThat(errors)
                .singleElement()
                .asString()
                .contains("[NullAway] dereferenced expression 'text' is @Nullable");
    }

    @Test
    void dereferencingWhatIsCheckedFirstCompiles() throws IOException {
        var errors = errorsOf("""
                package dev.dibs;

                import org.jspecify.annotations.Nullable;

                final class Sample {
                    private Sample() {}

                    static int length(@Nullable String text) {
                        return text == null ? 0 : text.length();
                    }
                }
                """);

        assertThat(errors).isEmpty();
    }

    private List<String> errorsOf(String source) throws IOException {
        var javac = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        try (StandardJavaFileManager files = javac.getStandardFileManager(found, Locale.ROOT, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            files.setLocation(
                    StandardLocation.ANNOTATION_PROCESSOR_PATH, files.getLocation(StandardLocation.CLASS_PATH));
            javac.getTask(null, files, found, argumentsOfTheBuild, null, List.of(new Sample(source)))
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    /** A class that is nowhere but in memory. */
    private static final class Sample extends SimpleJavaFileObject {
        private final String source;

        Sample(String source) {
            super(URI.create("string:///dev/dibs/Sample.java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }
}
