package dev.dibs.codegen;

import java.util.Optional;
import org.jooq.codegen.Generator;

/** The annotation that marks generated classes, if the configuration asks for one. */
final class GeneratedAnnotation {

    private GeneratedAnnotation() {}

    /** The annotation's type; by the option's name, for newer versions of jOOQ know more of them. */
    static Optional<String> of(Generator generator) {
        if (!generator.generateGeneratedAnnotation()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (generator.generateGeneratedAnnotationType().name()) {
                    case "JAVAX_ANNOTATION_GENERATED" -> "javax.annotation.Generated";
                    case "JAKARTA_ANNOTATION_GENERATED" -> "jakarta.annotation.Generated";
                    case "ORG_JOOQ_GENERATED" -> "org.jooq.Generated";
                    default -> "javax.annotation.processing.Generated";
                });
    }
}
