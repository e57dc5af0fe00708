package dev.dibs.spi;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A server's version in its own words.
 *
 * @param text for example {@code 10.11.6-MariaDB-1:10.11.6+maria~deb12}
 */
public record ServerVersion(String text) {

    /** Whether this is older than a version; one without a number is older than any. */
    public boolean isBefore(String version) {
        return Arrays.compare(numbers(), new ServerVersion(version).numbers()) < 0;
    }

    @Override
    public String toString() {
        return text;
    }

    // MariaDB of before version 11 may say 5.5.5-10.6.12-MariaDB, so that old replicas take it for a MySQL.
    private int[] numbers() {
        var found = Pattern.compile("\\d+(\\.\\d+)*").matcher(text.replaceFirst("^5\\.5\\.5-(?=\\d)", ""));
        return found.find()
                ? Arrays.stream(found.group().split("\\.", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray()
                : new int[0];
    }
}
