package dev.dibs.codegen;

import dev.dibs.table.QueueTable;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes compiled from sources, against the class path of the test. */
record Compiled(Path classes, List<String> errors) {

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern TYPE =
            Pattern.compile("^public (?:final )?(?:class|interface) (\\w+)", Pattern.MULTILINE);

    static Compiled of(Path classes, List<String> sources) throws IOException {
        Files.createDirectories(classes);
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        compiler.getTask(
                        null,
                        null,
                        diagnostics,
                        List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        sources.stream().map(Compiled::file).toList())
                .call();
        return new Compiled(
                classes,
                diagnostics.getDiagnostics().stream()
                        .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                        .map(message -> "%s:%d: %s"
                                .formatted(
                                        message.getSource() == null
                                                ? ""
                                                : message.getSource().getName(),
                                        message.getLineNumber(),
                                        message.getMessage(Locale.ROOT)))
                        .toList());
    }

    /** The mapping that a generated class has as its constant. */
    QueueTable<?> mapping(String type, String constant) throws Exception {
        var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, Compiled.class.getClassLoader());
        return (QueueTable<?>) loader.loadClass(type).getField(constant).get(null);
    }

    private static JavaFileObject file(String source) {
        var name = "/%s/%s.java".formatted(first(PACKAGE, source).replace('.', '/'), first(TYPE, source));
        return new SimpleJavaFileObject(URI.create("string://" + name), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static String first(Pattern pattern, String source) {
        var matcher = pattern.matcher(source);
        return matcher.find() ? matcher.group(1) : "";
    }
}
