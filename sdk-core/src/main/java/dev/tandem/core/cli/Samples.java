package dev.tandem.core.cli;

import dev.tandem.core.UsageException;
import dev.tandem.core.internal.launch.NearestName;
import dev.tandem.core.launch.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The samples that this installation has, by name. Immutable. */
final class Samples {

    private final List<Sample> byName;

    Samples(List<Sample> samples) {
        byName = samples.stream().sorted(Comparator.comparing(Sample::name)).toList();
    }

    /** Finds the samples that modules provide. */
    static Samples find() {
        return new Samples(ServiceLoader.load(Sample.class)
                .stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    /** Gives the sample of a name; a refusal suggests the nearest. */
    Sample get(String name) {
        for (Sample sample : byName) {
            if (sample.name().equals(name)) {
                return sample;
            }
        }
        List<String> names = byName.stream().map(Sample::name).toList();
        String near = NearestName.to(name, names).map(found -> "did you mean " + found + "? ").orElse("");
        throw new UsageException("unknown sample: " + name + "; " + near + "tandem samples lists them");
    }

    /** Gives a table of names and summaries, {@code width} columns wide, each line behind {@code indent}. */
    String table(int width, String indent) {
        if (byName.isEmpty()) {
            return indent + "(none on the class path)";
        }
        int nameColumns = byName.stream().mapToInt(sample -> sample.name().length()).max().orElse(0);
        String hanging = System.lineSeparator() + indent + " ".repeat(nameColumns + 2);
        int summaryColumns = Math.max(20, width - indent.length() - nameColumns - 2);
        return byName.stream()
                .map(sample -> indent + sample.name() + " ".repeat(nameColumns - sample.name().length() + 2)
                        + String.join(hanging, wrap(sample.summary(), summaryColumns)))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    /** Breaks a text at blanks into lines of at most {@code columns}; a longer word gets a line of its own. */
    static List<String> wrap(String text, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
