package dev.tandem.core.internal.launch;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How Tandem's command lines look and how they refuse. Stateless. */
public final class Commands {

    /** Columns that help is written for. */
    public static final int WIDTH = 88;

    private static final int OPTION_COLUMNS = 26;

    private Commands() {
    }

    /**
     * Gives a command line Tandem's look.
     *
     * @param commandLine the command line, before it parses
     */
    public static void style(CommandLine commandLine) {
        commandLine.setUsageHelpWidth(WIDTH);
        commandLine.setUsageHelpLongOptionsMaxWidth(OPTION_COLUMNS);
        commandLine.setAbbreviatedOptionsAllowed(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.getCommandSpec().usageMessage().abbreviateSynopsis(true);
        commandLine.getCommandSpec().usageMessage().sortOptions(false);
    }

    /**
     * Words what is wrong with a command line.
     *
     * @param refusal the parser's refusal
     * @return one sentence that says what to do
     */
    public static String sentence(ParameterException refusal) {
        String message = refusal.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
        String hint = "see " + refusal.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        if (refusal instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
            String argument = unmatched.getUnmatched().getFirst();
            message = (argument.startsWith("-") ? "unknown option: " : "unexpected argument: ") + argument;
            List<String> known = refusal.getCommandLine()
                    .getCommandSpec()
                    .options()
                    .stream()
                    .map(option -> option.longestName())
                    .toList();
            hint = NearestName.to(argument, known).map(near -> "did you mean " + near + "? ").orElse("") + hint;
        }
        return message + "; " + hint;
    }
}
