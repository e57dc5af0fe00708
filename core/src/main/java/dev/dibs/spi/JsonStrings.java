package dev.dibs.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One JSON object whose values are strings: written for every database to store, and read strictly. */
final class JsonStrings {

    private static final int SHORT_ESCAPE = 2;
    private static final int UNICODE_ESCAPE = 6;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private JsonStrings(String text) {
        this.text = text;
    }

    /**
     * The pairs as JSON.
     *
     * @throws IllegalArgumentException if one of them holds NUL or half of a surrogate pair, which not every database
     *     stores
     */
    static String write(Map<String, String> pairs) {
        var json = new StringBuilder("{");
        pairs.forEach((name, value) -> {
            requireStorable(name, name);
            requireStorable(name, value);
            json.append(json.length() > 1 ? "," : "");
            quote(json, name);
            json.append(':');
            quote(json, value);
        });
        return json.append('}').toString();
    }

    /**
     * The pairs of a JSON object of strings, in its order.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    static Map<String, String> read(String text) {
        return Collections.unmodifiableMap(new JsonStrings(text).object());
    }

    private static void requireStorable(String name, String part) {
        var bad = part.codePoints()
                .filter(c -> c == 0 || Character.getType(c) == Character.SURROGATE)
                .findFirst();
        bad.ifPresent(c -> {
            throw new IllegalArgumentException(
                    "the header \"%s\" holds the character U+%04X, which not every database stores; encode it"
                            .formatted(name, c));
        });
    }

    private static void quote(StringBuilder json, String part) {
        json.append('"');
        part.chars().forEach(c -> append(json, (char) c));
        json.append('"');
    }

    private static void append(StringBuilder json, char c) {
        if (c == '"' || c == '\\') {
            json.append('\\').append(c);
        } else if (c < ' ') {
            json.append("\\u%04x".formatted((int) c));
        } else {
            json.append(c);
        }
    }

    private Map<String, String> object() {
        var pairs = new LinkedHashMap<String, String>();
        expect('{');
        if (!isNext('}')) {
            do {
                pair(pairs);
            } while (isNext(','));
            expect('}');
        }
        skipSpace();
        if (at < text.length()) {
            throw unexpected("the end");
        }
        return pairs;
    }

    private void pair(Map<String, String> pairs) {
        var name = string();
        expect(':');
        if (pairs.put(name, string()) != null) {
            throw new IllegalArgumentException("the header \"%s\" is there twice".formatted(name));
        }
    }

    private String string() {
        expect('"');
        var string = new StringBuilder();
        while (current() != '"') {
            string.append(character());
        }
        at++;
        return string.toString();
    }

    private char character() {
        var c = current();
        if (c == '\\') {
            return escaped();
        }
        if (c < ' ') {
            throw unexpected("a character of a string");
        }
        at++;
        return c;
    }

    private char escaped() {
        if (text.startsWith("\\u", at)) {
            return unicode();
        }
        var escape = at + 1 < text.length() ? ESCAPES.indexOf(text.charAt(at + 1)) : -1;
        if (escape < 0) {
            throw unexpected("an escape");
        }
        at += SHORT_ESCAPE;
        return ESCAPED.charAt(escape);
    }

    private char unicode() {
        var digits = text.substring(at + SHORT_ESCAPE, Math.min(text.length(), at + UNICODE_ESCAPE));
        if (!digits.matches("[0-9A-Fa-f]{4}")) {
            throw unexpected("four hexadecimal digits");
        }
        at += UNICODE_ESCAPE;
        return (char) Integer.parseInt(digits, 16);
    }

    private char current() {
        if (at >= text.length()) {
            throw unexpected("more");
        }
        return text.charAt(at);
    }

    private boolean isNext(char c) {
        skipSpace();
        var next = at < text.length() && text.charAt(at) == c;
        at += next ? 1 : 0;
        return next;
    }

    private void expect(char c) {
        if (!isNext(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException(
                "not one JSON object of strings: at position %d there should be %s".formatted(at, wanted));
    }
}
