package dev.dibs.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** A part of an example's source between two tags, as documents show it. */
final class Snippet {

    private Snippet() {}

    static String of(Class<?> example, String tag) throws IOException {
        var source = Files.readString(Path.of("src/main/java", example.getName().replace('.', '/') + ".java"));
        var shown = source.substring(source.indexOf("// tag::" + tag + "[]"), source.indexOf("// end::" + tag + "[]"))
                .lines()
                .skip(1)
                .map(line -> line.stripTrailing().replaceFirst("^ {8}", ""))
                .collect(Collectors.joining("\n"))
                .strip();
        return "```java\n" + shown + "\n```";
    }
}
