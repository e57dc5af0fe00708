package dev.dibs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonStringsTest {

    @Test
    void pairsAreWrittenInTheirOrder() {
        var pairs = new LinkedHashMap<String, String>();
        pairs.put("z", "1");
        pairs.put("a", "");

        assertThat(JsonStrings.write(pairs)).isEqualTo("{\"z\":\"1\",\"a\":\"\"}");
        assertThat(JsonStrings.read("{\"z\":\"1\",\"a\":\"\"}")).containsExactlyEntriesOf(pairs);
    }

    @Test
    void noPairsAreAnEmptyObject() {
        assertThat(JsonStrings.write(Map.of())).isEqualTo("{}");
        assertThat(JsonStrings.read(" { } ")).isEmpty();
    }

    @Test
    void everyCharacterButNulComesBack() {
        for (int c = 1; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                var text = Character.toString(c);
                assertThat(JsonStrings.read(JsonStrings.write(Map.of(text, text))))
                        .isEqualTo(Map.of(text, text));
            }
        }
    }

    @Test
    void quotesBackslashesAndControlCharactersAreEscaped() {
        assertThat(JsonStrings.write(Map.of("\"\\", "\n\u0001\ud83d\udceb/")))
                .isEqualTo("{\"\\\"\\\\\":\"\\u000a\\u0001\ud83d\udceb/\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"\\\"\\\\\\/\"}|\"\\/",
                "{\"a\":\"x\\u00e4\\uD83D\\udcEBy\"}|x\u00e4\ud83d\udceby",
                "{ \"a\" : \"b c\" }|b c"
            })
    void whatOthersWriteIsRead(String json, String value) {
        assertThat(JsonStrings.read(json)).isEqualTo(Map.of("a", value));
    }

    @Test
    void shortEscapesAreRead() {
        assertThat(JsonStrings.read("\n{\t\"a\":\r\"\\b\\f\\n\\r\\t\"}")).isEqualTo(Map.of("a", "\b\f\n\r\t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "\"a\"",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":true}",
                "{\"a\":{}}",
                "{\"a\":[\"b\"]}",
                "{\"a\":\"b\"",
                "{\"a\":\"b",
                "{\"a\":\"b\"}}",
                "{\"a\":\"b\"} x",
                "{\"a\":\"b\",}",
                "{,}",
                "{\"a\" \"b\"}",
                "{a:\"b\"}",
                "{'a':'b'}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u+123\"}",
                "{\"a\":\"line\nbreak\"}"
            })
    void anythingElseIsRefusedWithItsPlace(String json) {
        assertThatThrownBy(() -> JsonStrings.read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("not one JSON object of strings", "position");
    }

    @Test
    void aNameThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> JsonStrings.read("{\"a\":\"1\",\"a\":\"2\"}"))
                .hasMessageContaining("\"a\" is there twice");
    }

    @Test
    void whatNotEveryDatabaseStoresIsNotWritten() {
        assertThatThrownBy(() -> JsonStrings.write(Map.of("a", "\0"))).hasMessageContainingAll("\"a\"", "U+0000");
        assertThatThrownBy(() -> JsonStrings.write(Map.of("\udceb", "b"))).hasMessageContaining("U+DCEB");
        assertThatThrownBy(() -> JsonStrings.write(Map.of("a", "\udceb\ud83d"))).hasMessageContaining("U+DCEB");
    }
}
