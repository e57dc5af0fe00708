package dev.dibs.spi;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jooq.Context;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Fields;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Select;
import org.jooq.conf.SettingsTools;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text and the places of its parameters.
 *
 * @param pieces what stands before, between and after the parameters
 * @param places in their order
 * @param fields what the statement returns
 */
record KeptText(List<String> pieces, List<Place> places, List<? extends Field<?>> fields) {

    /** No text of SQL has these. */
    private static final String NAME = "\u0001";

    private static final String NUMBER = "\u0002";

    /** Writes a parameter, or its name where a text is written to be kept. */
    static void write(String name, Param<?> parameter, Context<?> context) {
        if (NUMBER.equals(context.settings().getRenderNamedParamPrefix())) {
            context.sql(NAME + name + NAME);
        } else {
            context.visit(parameter);
        }
    }

    /** The text of a statement, as it is written for a context. */
    static KeptText of(DSLContext dsl, Query query) {
        var settings = SettingsTools.clone(dsl.settings()).withRenderNamedParamPrefix(NUMBER);
        var text = dsl.configuration().derive(settings).dsl().renderNamedParams(query);
        var parameters = dsl.extractParams(query).values().stream()
                .filter(parameter -> !parameter.isInline())
                .iterator();
        var place = Pattern.compile("%1$s(\\w+)%1$s|%2$s\\w+".formatted(NAME, NUMBER));
        var places = place.matcher(text)
                .results()
                .map(found -> Place.of(found.group(1), parameters.next()))
                .toList();
        return new KeptText(List.of(place.split(text, -1)), places, fields(query));
    }

    // A select makes a table of itself when it is asked for its fields.
    private static List<? extends Field<?>> fields(Query query) {
        if (query instanceof Select<?> select) {
            return List.copyOf(select.getSelect());
        }
        return query instanceof Fields returned ? List.of(returned.fields()) : List.of();
    }

    Result<Record> rows(DSLContext dsl, Map<String, ?> values) {
        return dsl.resultQuery("{0}", with(values)).coerce(fields).fetch();
    }

    int execute(DSLContext dsl, Map<String, ?> values) {
        return dsl.query("{0}", with(values)).execute();
    }

    private QueryPart with(Map<String, ?> values) {
        return new CustomQueryPart() {
            @Override
            public void accept(Context<?> context) {
                for (int place = 0; place < places.size(); place++) {
                    context.sql(pieces.get(place)).visit(places.get(place).given(values));
                }
                context.sql(pieces.get(places.size()));
            }
        };
    }

    /**
     * Where a parameter is.
     *
     * @param name of the value that is given for it, if it is not the same in all statements of the kind
     */
    private record Place(@Nullable String name, Param<?> parameter) {

        static Place of(@Nullable String name, Param<?> parameter) {
            return new Place(name == null ? parameter.getParamName() : name, parameter);
        }

        Field<?> given(Map<String, ?> values) {
            return name == null ? parameter : DSL.val(values.get(name), parameter.getDataType());
        }
    }
}
