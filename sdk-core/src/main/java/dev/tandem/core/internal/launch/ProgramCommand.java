package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import dev.tandem.core.launch.RankProgram;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A program's command line: its own options and the job's, parsed into an instance of the program. */
final class ProgramCommand {

    private final RankProgram program;
    private final JobOptions options;
    private final CommandLine commandLine;

    private ProgramCommand(RankProgram program, JobOptions options, CommandLine commandLine) {
        this.program = program;
        this.options = options;
        this.commandLine = commandLine;
    }

    /**
     * Makes an instance of a program and parses arguments into it.
     *
     * @param program the program's class
     * @param name what the user calls it; null for what its {@code @Command} says
     * @param arguments the command line
     * @throws UsageException with one sentence about the first argument that cannot be
     */
    static ProgramCommand parse(Class<? extends RankProgram> program, String name, List<String> arguments) {
        RankProgram instance = instance(program);
        JobOptions options = new JobOptions();
        CommandLine commandLine = new CommandLine(instance);
        CommandSpec spec = commandLine.getCommandSpec();
        if (name != null) {
            spec.name(name);
        }
        spec.addMixin("job", CommandSpec.forAnnotatedObject(options));
        Commands.style(commandLine);
        try {
            commandLine.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new UsageException(Commands.sentence(e), e);
        }
        return new ProgramCommand(instance, options, commandLine);
    }

    private static RankProgram instance(Class<? extends RankProgram> program) {
        try {
            var constructor = program.getDeclaredConstructor();
            constructor.trySetAccessible();
            return constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new UsageException(
                    "program cannot be made: class=" + program.getName() + " (" + FailureReport.sentence(e)
                            + "); give it a constructor without arguments and open its package",
                    e);
        }
    }

    RankProgram program() {
        return program;
    }

    JobOptions options() {
        return options;
    }

    /** Prints help or version if asked for; says whether it did. */
    boolean helped(Console console) {
        if (commandLine.isUsageHelpRequested()) {
            console.out(commandLine.getUsageMessage(CommandLine.Help.Ansi.AUTO).stripTrailing());
            return true;
        }
        if (commandLine.isVersionHelpRequested()) {
            console.out(Version.text());
            return true;
        }
        return false;
    }
}
