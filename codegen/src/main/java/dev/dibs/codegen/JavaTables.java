package dev.dibs.codegen;

import dev.dibs.table.QueueException;
import org.jooq.codegen.Generator;
import org.jooq.codegen.Language;

/** The generated classes that a mapping is made of: in Java, with a table's columns as fields of its instances. */
final class JavaTables {

    private JavaTables() {}

    /** Refuses a generator that writes others. */
    static void require(Generator generator) {
        var language = generator.getStrategy().getTargetLanguage();
        if (language != Language.JAVA) {
            throw new QueueException(
                    "the generator %s writes %s, and mappings are Java; generate the queue tables with %s in an execution of its own, whose classes Kotlin and Scala can use"
                            .formatted(generator.getClass().getName(), language, QueueGenerator.class.getName()));
        }
        if (!generator.generateInstanceFields()) {
            throw new QueueException(
                    "the option instanceFields is false, and a mapping names the columns of a table's instance; leave the option out");
        }
    }
}
