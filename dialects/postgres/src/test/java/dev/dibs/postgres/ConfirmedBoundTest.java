package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.postgres.ConfirmedBound.Look;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ConfirmedBoundTest {

    private final ConfirmedBound bound = new ConfirmedBound(1);

    @Test
    void thereIsNoneAtFirst() {
        assertThat(bound.awaited()).isEmpty();
        assertThat(bound.look().from()).isEmpty();
    }

    @Test
    void itMovesWithTheNextClaimWhenNobodyWrites() {
        claimed(5);
        writing();
        claimed(8);

        assertThat(bounds()).containsExactly(key(5));
    }

    @Test
    void itWaitsForThoseWhoWroteWhenTheKeyWasClaimed() {
        claimed(5);
        writing("3/1", "4/1");
        claimed(6);
        writing("4/1");
        claimed(7);
        assertThat(bounds()).isEmpty();

        writing();
        claimed(8);

        assertThat(bounds()).containsExactly(key(5));
    }

    @Test
    void itWaitsForNobodyWhoBeganToWriteLater() {
        claimed(5);
        writing("3/1");
        claimed(6);
        writing("3/2", "4/1");
        claimed(7);

        assertThat(bounds()).containsExactly(key(5));
    }

    @Test
    void aClaimThatBeganWhileTheyWroteConfirmsNothing() {
        claimed(5);
        writing("3/1");
        var early = bound.look();
        writing();
        claimed(early, 6);
        assertThat(bounds()).isEmpty();

        claimed(7);

        assertThat(bounds()).containsExactly(key(5));
    }

    @Test
    void aClaimThatDidNotComeAcrossTheKeyConfirmsNothing() {
        claimed(5);
        writing();
        bound.claimed(bound.look(), List.of(key(3)), key -> key.compareTo(key(3)) <= 0);

        assertThat(bounds()).isEmpty();
        assertThat(bound.awaited())
                .hasValueSatisfying(step -> assertThat(step.keys()).containsValue(key(5)));
    }

    @Test
    void aPreparedTransactionOfUnknownOriginHoldsItUp() {
        claimed(5);
        writing("3/1");
        claimed(6);
        writing("-1/700");
        claimed(7);
        assertThat(bounds()).isEmpty();

        writing();
        claimed(8);

        assertThat(bounds()).containsExactly(key(5));
    }

    @Test
    void theNextStepTakesItFurther() {
        claimed(5);
        writing();
        claimed(8);
        writing();
        claimed(9);

        assertThat(bounds()).containsExactly(key(8));
    }

    @Test
    void claimsOfLowerKeysDoNotTakeItBack() {
        claimed(5);
        writing();
        claimed(8);
        writing();
        claimed(2);
        writing();
        claimed(9);

        assertThat(bounds()).containsExactly(key(8));
    }

    @Test
    void aRowThatIsGivenBackLowersIt() {
        claimed(8);
        writing();
        claimed(9);

        bound.lower(List.of(key(4)));

        assertThat(bounds()).containsExactly(key(4));
    }

    @Test
    void aRowThatIsGivenBackAboveItLeavesItThere() {
        claimed(8);
        writing();
        claimed(9);

        bound.lower(List.of(key(12)));

        assertThat(bounds()).containsExactly(key(8));
    }

    @Test
    void aRowThatIsGivenBackDuringAClaimIsNotPassedOver() {
        claimed(8);
        writing();
        var look = bound.look();
        bound.lower(List.of(key(4)));
        claimed(look, 9);

        assertThat(bounds()).isEmpty();
    }

    @Test
    void whatIsReadForAStepThatWasOvertakenCountsForNoOther() {
        claimed(8);
        var overtaken = bound.awaited().orElseThrow();
        bound.lower(List.of(key(4)));
        claimed(9);
        var step = bound.awaited().orElseThrow();
        bound.writing(overtaken, Set.of());

        assertThat(bound.awaited()).contains(step);
    }

    @Test
    void afterAResetThereIsNone() {
        claimed(8);
        writing();
        claimed(9);
        writing();
        var look = bound.look();
        bound.reset();
        claimed(look, 10);

        assertThat(bounds()).isEmpty();
    }

    @Test
    void eachPriorityHasItsOwn() {
        bound.claimed(bound.look(), List.of(new Key(1, 5, 5L), new Key(2, 3, 3L)), key -> true);
        writing();
        bound.claimed(bound.look(), List.of(new Key(1, 9, 9L)), key -> key.priority() == 1);

        assertThat(bounds()).containsExactly(new Key(1, 5, 5L));
    }

    @Test
    void theMostUrgentPrioritiesHaveOneAndTheOthersNone() {
        var keys = LongStream.rangeClosed(1, 40)
                .mapToObj(priority -> new Key(priority, 5, 5L))
                .toList();
        bound.claimed(bound.look(), keys, key -> true);
        writing();
        claimed(9);

        assertThat(bounds()).containsExactlyElementsOf(keys.subList(0, ConfirmedBound.MOST_PRIORITIES));
    }

    @Test
    void stepsAreTakenAfterSoManyRows() {
        var patient = new ConfirmedBound(3);
        patient.claimed(patient.look(), List.of(key(1), key(2)), key -> true);
        assertThat(patient.awaited()).isEmpty();

        patient.claimed(patient.look(), List.of(key(3)), key -> true);

        assertThat(patient.awaited())
                .hasValueSatisfying(step -> assertThat(step.keys()).isEqualTo(Map.of(0L, key(3))));
    }

    @Test
    void uuidsCompareAsTheirBytes() {
        var low = new Key(0, 5, UUID.fromString("7fffffff-0000-0000-0000-000000000000"));
        var high = new Key(0, 5, UUID.fromString("80000000-0000-0000-0000-000000000000"));

        assertThat(low).isLessThan(high);
    }

    private void claimed(long due) {
        claimed(bound.look(), due);
    }

    private void claimed(Look look, long due) {
        bound.claimed(look, List.of(key(due)), key -> true);
    }

    private void writing(String... writers) {
        bound.writing(bound.awaited().orElseThrow(), Set.of(writers));
    }

    private List<Key> bounds() {
        return List.copyOf(bound.look().from().values());
    }

    private static Key key(long due) {
        return new Key(0, due, due);
    }
}
