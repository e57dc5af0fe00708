import org.jspecify.annotations.NullMarked;

/** Writes the mapping of queue tables beside the classes that jOOQ generates for them. */
@NullMarked
module dev.dibs.codegen {
    requires transitive dev.dibs;
    requires transitive org.jooq.codegen;
    requires transitive org.jooq.meta;
    requires transitive org.jspecify;

    exports dev.dibs.codegen;
}
