package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorTextTest {

    /** One character of two Java chars. */
    private static final String SMILE = "\uD83D\uDE00";

    @Test
    void theTextNamesWhatWasThrownAndItsCauses() {
        var thrown = new IllegalStateException("no mail", new IllegalArgumentException("no address"));

        assertThat(ErrorText.of(thrown))
                .isEqualTo("java.lang.IllegalStateException: no mail\n"
                        + "caused by: java.lang.IllegalArgumentException: no address");
    }

    @Test
    void aThrowableWithoutMessageIsNamedByItsClass() {
        assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void ofADeepChainTheFirstTenCausesAreTold() {
        var text = ErrorText.of(chain(100_000));

        assertThat(text.lines()).hasSize(11).first().isEqualTo("java.lang.IllegalStateException: cause 99999");
    }

    @Test
    @Timeout(10)
    void aChainThatRunsInACircleEnds() {
        var first = new IllegalStateException("first");
        var second = new IllegalStateException("second", first);
        first.initCause(second);

        assertThat(ErrorText.of(first).lines())
                .hasSize(11)
                .startsWith(
                        "java.lang.IllegalStateException: first",
                        "caused by: java.lang.IllegalStateException: second",
                        "caused by: java.lang.IllegalStateException: first");
    }

    @Test
    @Timeout(10)
    void aThrowableThatIsItsOwnCauseEnds() {
        assertThat(ErrorText.of(new ItsOwnCause()).lines()).hasSize(11);
    }

    @Test
    void aTextThatFitsIsStoredAsItIs() {
        assertThat(ErrorText.storable("no mail", 7)).isEqualTo("no mail");
    }

    @Test
    void aTextIsCutToItsColumn() {
        assertThat(ErrorText.storable("no mail", 6)).isEqualTo("no mai");
    }

    @Test
    void aTextOfFiveMegabytesIsCutToTheLongest() {
        var thrown = new IllegalStateException("x".repeat(5_000_000));

        assertThat(ErrorText.storable(ErrorText.of(thrown), 0))
                .hasSize(ErrorText.LONGEST)
                .startsWith("java.lang.IllegalStateException: xxx");
    }

    @Test
    void aColumnThatHoldsMoreThanTheLongestGetsTheLongest() {
        assertThat(ErrorText.storable("x".repeat(5_000), 1_000_000)).hasSize(ErrorText.LONGEST);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void aCutNeverSplitsACharacter(int columnLength) {
        var text = ErrorText.storable("a" + SMILE.repeat(10), columnLength);

        assertThat(text).isEqualTo("a" + SMILE.repeat((columnLength - 1) / 2));
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
    }

    @Test
    void aCharacterThatDoesNotFitAloneIsLeftOut() {
        assertThat(ErrorText.storable(SMILE, 1)).isEmpty();
    }

    @Test
    void nulIsRemoved() {
        assertThat(ErrorText.storable("\0no\0 mail\0", 0)).isEqualTo("no mail");
    }

    @Test
    void nulIsRemovedBeforeTheCut() {
        assertThat(ErrorText.storable("\0\0\0no mail", 7)).isEqualTo("no mail");
    }

    @Test
    void anEmptyTextStaysEmpty() {
        assertThat(ErrorText.storable("", 10)).isEmpty();
    }

    @Test
    void aThrowableWhoseMessageThrowsIsNamedByItsClass() {
        var thrown = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no message for you");
            }
        };

        assertThat(ErrorText.of(thrown)).contains(thrown.getClass().getName());
    }

    @Test
    @SuppressWarnings({"OverrideThrowableToString", "ToStringReturnsNull"}) // what users can do
    void aThrowableWhoseTextIsNullIsNamedByItsClass() {
        var thrown = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                return null;
            }
        };

        assertThat(ErrorText.of(thrown)).contains(thrown.getClass().getName());
    }

    @Test
    void aThrowableWhoseCauseThrowsIsToldWithoutIt() {
        var thrown = new RuntimeException("no mail") {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause for you");
            }
        };

        assertThat(ErrorText.of(thrown)).contains("no mail");
    }

    private static Throwable chain(int length) {
        Throwable thrown = new IllegalStateException("cause 0");
        for (int cause = 1; cause < length; cause++) {
            thrown = new IllegalStateException("cause " + cause, thrown);
        }
        return thrown;
    }

    private static final class ItsOwnCause extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return this;
        }
    }

    @Test
    void thePlainTextIsShortAndHasNothingThatAColumnCouldRefuse() {
        assertThat(ErrorText.plain("no \ud83d\udceb\u0000\tfor you\n" + "\u00e9".repeat(1_000)))
                .startsWith("no ??\tfor you\n???")
                .hasSizeLessThanOrEqualTo(200);
    }
}
