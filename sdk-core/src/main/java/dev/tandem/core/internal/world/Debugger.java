package dev.tandem.core.internal.world;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds out whether this JVM was started for a debugger. Stateless.
 *
 * <p>A JVM that listens for a debugger counts, whether one is attached or not: the agent does not say. The process's own
 * arguments are a third as costly to read as the JVM's management interface (9 ms against 28 ms at start-up), which is
 * asked only where they are hidden: in an argument file, or on a system that does not show them.
 */
final class Debugger {

    private Debugger() {
    }

    /** Says whether the debug agent is loaded. */
    static boolean present() {
        String[] own = ProcessHandle.current().info().arguments().orElse(null);
        List<String> arguments = own == null || Stream.of(own).anyMatch(argument -> argument.startsWith("@"))
                ? ManagementFactory.getRuntimeMXBean().getInputArguments()
                : List.of(own);
        return present(arguments, System.getenv());
    }

    static boolean present(List<String> arguments, Map<String, String> variables) {
        Stream<String> fromVariables = Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
                .flatMap(name -> Stream.of(variables.getOrDefault(name, "").split("\\s+")));
        return Stream.concat(arguments.stream(), fromVariables)
                .anyMatch(argument -> argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp"));
    }
}
