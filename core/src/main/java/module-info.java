import org.jspecify.annotations.NullMarked;

/** A queue toolkit on jOOQ. */
@NullMarked
module dev.dibs {
    requires transitive org.jooq;
    requires transitive org.jspecify;
    requires org.slf4j;

    exports dev.dibs;
    exports dev.dibs.table;
    exports dev.dibs.time;
    exports dev.dibs.wake;
    exports dev.dibs.spi;

    uses dev.dibs.spi.Dialect;
}
