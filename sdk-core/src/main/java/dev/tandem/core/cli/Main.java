package dev.tandem.core.cli;

import dev.tandem.core.UsageException;
import dev.tandem.core.internal.launch.Commands;
import dev.tandem.core.internal.launch.Console;
import dev.tandem.core.internal.launch.ExitStatus;
import dev.tandem.core.internal.launch.Halt;
import dev.tandem.core.internal.launch.NearestName;
import dev.tandem.core.internal.launch.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The main class of the {@code tandem} command. */
@Command(name = "tandem", header = "Distributed kernels in which computation and communication run in tandem.%n", customSynopsis = "tandem COMMAND [OPTIONS]", commandListHeading = "%nCommands:%n", footer = {
    "", "For example: tandem run allgather-gemm --nproc-per-node 2", "Each command has its own --help."})
public final class Main {

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    private boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Show the version and exit.")
    private boolean version;

    private Main() {
    }

    /**
     * Runs the command and ends the process with its exit status: 0 for success, 1 if a rank or the command failed, 2 if
     * the command line is wrong, 3 if the machine does not allow it, 130 if interrupted.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        Halt.exit(run(Arrays.asList(arguments), Console.ofProcess()));
    }

    /** Runs the command and gives its exit status. */
    static int run(List<String> arguments, Console console) {
        try {
            return dispatch(arguments, console);
        } catch (Exception | LinkageError | ServiceConfigurationError e) {
            if (arguments.contains("--verbose")) {
                console.trace(e);
            }
            console.error(Console.sentence(e));
            return ExitStatus.beforeRanks(e);
        }
    }

    private static int dispatch(List<String> arguments, Console console) throws Exception {
        String first = arguments.isEmpty() ? "--help" : arguments.getFirst();
        List<String> rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
        return switch (first) {
            case "-h", "--help" -> help(console);
            case "-V", "--version" -> {
                console.out(Version.text());
                yield ExitStatus.OK;
            }
            case "help" -> {
                List<String> command = new ArrayList<>(rest);
                command.add("--help");
                yield dispatch(command, console);
            }
            case "run" -> RunCommand.run(rest, Samples.find(), console);
            case "samples" -> samples(rest, console);
            default -> provided(first, rest, console);
        };
    }

    private static int help(Console console) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.addSubcommand(new RunCommand());
        commandLine.addSubcommand(new SamplesCommand());
        for (Subcommand subcommand : ServiceLoader.load(Subcommand.class)) {
            commandLine.addSubcommand(subcommand);
        }
        Commands.style(commandLine);
        console.out(commandLine.getUsageMessage(CommandLine.Help.Ansi.AUTO).stripTrailing());
        return ExitStatus.OK;
    }

    private static int samples(List<String> arguments, Console console) {
        if (!helped(new CommandLine(new SamplesCommand()), "samples", arguments, console)) {
            console.out(Samples.find().table(Commands.WIDTH, ""));
        }
        return ExitStatus.OK;
    }

    private static int provided(String name, List<String> arguments, Console console) throws Exception {
        List<String> names = new ArrayList<>(List.of("run", "samples"));
        for (ServiceLoader.Provider<Subcommand> provider : ServiceLoader.load(Subcommand.class).stream().toList()) {
            Command command = provider.type().getAnnotation(Command.class);
            String provided = command == null ? "" : command.name();
            names.add(provided);
            if (provided.equals(name)) {
                Subcommand subcommand = provider.get();
                if (helped(new CommandLine(subcommand), name, arguments, console)) {
                    return ExitStatus.OK;
                }
                return console.lend(subcommand::run);
            }
        }
        String what = name.startsWith("-") ? "unknown option: " : "unknown command: ";
        throw new UsageException(what + name + "; "
                + NearestName.to(name, names).map(near -> "did you mean tandem " + near + "? ").orElse("")
                + "see tandem --help");
    }

    /** Parses a command's arguments; says whether they asked for help, which is then printed. */
    private static boolean helped(CommandLine commandLine, String name, List<String> arguments, Console console) {
        Commands.style(commandLine);
        commandLine.getCommandSpec().name("tandem " + name);
        if (commandLine.getCommandSpec().findOption("--help") == null) {
            commandLine.getCommandSpec()
                    .addMixin("help", CommandLine.Model.CommandSpec.forAnnotatedObject(new HelpOption()));
        }
        try {
            commandLine.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new UsageException(Commands.sentence(e), e);
        }
        if (commandLine.isUsageHelpRequested()) {
            console.out(commandLine.getUsageMessage(CommandLine.Help.Ansi.AUTO).stripTrailing());
        }
        return commandLine.isUsageHelpRequested();
    }

    /** The one option that every command has. */
    static final class HelpOption {

        @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
        private boolean help;
    }

    /** {@code tandem samples}. */
    @Command(name = "samples", description = "List the samples.")
    static final class SamplesCommand {
    }
}
