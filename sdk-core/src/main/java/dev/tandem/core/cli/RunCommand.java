package dev.tandem.core.cli;

import dev.tandem.core.UsageException;
import dev.tandem.core.internal.launch.Commands;
import dev.tandem.core.internal.launch.Console;
import dev.tandem.core.internal.launch.ExitStatus;
import dev.tandem.core.internal.launch.JobOptions;
import dev.tandem.core.internal.launch.ProgramLauncher;
import dev.tandem.core.internal.launch.Version;
import dev.tandem.core.launch.Sample;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code tandem run SAMPLE [OPTIONS]}. */
@Command(name = "run", description = "Run a sample on several ranks.", customSynopsis = "tandem run SAMPLE [OPTIONS]", footerHeading = "%nSamples (tandem run SAMPLE --help shows a sample's own options):%n")
final class RunCommand {

    @Parameters(index = "0", arity = "0..1", paramLabel = "SAMPLE", description = "What to run.")
    private String sample;

    @Parameters(index = "1..*", hidden = true)
    private List<String> rest = new ArrayList<>();

    @Mixin
    private JobOptions job = new JobOptions();

    /** Runs what {@code arguments}, those after {@code run}, ask for. */
    static int run(List<String> arguments, Samples samples, Console console) {
        RunCommand command = new RunCommand();
        CommandLine commandLine = command.commandLine(samples);
        try {
            commandLine.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new UsageException(Commands.sentence(e), e);
        }
        if (commandLine.isUsageHelpRequested()) {
            console.out(commandLine.getUsageMessage(CommandLine.Help.Ansi.AUTO).stripTrailing());
            return ExitStatus.OK;
        }
        if (commandLine.isVersionHelpRequested()) {
            console.out(Version.text());
            return ExitStatus.OK;
        }
        if (command.sample == null) {
            throw new UsageException("no sample named; give one of those that tandem samples lists");
        }
        Sample found = samples.get(command.sample);
        // The job's options may stand before the sample's name as well as after it.
        int name = arguments.size() - command.rest.size() - 1;
        List<String> own = new ArrayList<>(arguments.subList(0, name));
        own.addAll(command.rest);
        return ProgramLauncher.run(found.program(), "tandem run " + found.name(), own, console);
    }

    private CommandLine commandLine(Samples samples) {
        CommandLine commandLine = new CommandLine(this);
        commandLine.setStopAtPositional(true);
        Commands.style(commandLine);
        commandLine.getCommandSpec().name("tandem run");
        commandLine.getCommandSpec().usageMessage().footer(samples.table(Commands.WIDTH, "  ").replace("%", "%%"));
        return commandLine;
    }
}
