package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The command line of a rank's JVM: the same Java, class path and module path as this one, with the flags that a rank
 * needs.
 *
 * <p>Flags of one's own go into {@value #EXTRA_FLAGS}; they come last and win.
 */
final class JvmCommand {

    /** The variable with further JVM flags, separated by blanks; quotes keep a flag with blanks together. */
    static final String EXTRA_FLAGS = "TANDEM_JVM_ARGS";

    private static final String MODULE = "dev.tandem.core";

    private final Properties system;
    private final Map<String, String> environment;

    /** Reads what this JVM runs with from {@code system} and {@code environment}. */
    JvmCommand(Properties system, Map<String, String> environment) {
        this.system = system;
        this.environment = environment;
    }

    /** Gives the command that runs {@code main} with {@code arguments} as one of {@code ranks} ranks of this machine. */
    List<String> of(Class<?> main, Class<?> program, int ranks, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags(ranks));
        String classPath = system.getProperty("java.class.path", "");
        String modulePath = system.getProperty("jdk.module.path", "");
        if (!classPath.isEmpty()) {
            command.add("-cp");
            command.add(classPath);
        }
        if (!modulePath.isEmpty() && main.getModule().isNamed()) {
            command.add("--module-path");
            command.add(modulePath);
            command.add("--add-modules");
            // Every module there, so that services found at run time are as visible as they are here.
            command.add("ALL-MODULE-PATH" + (program.getModule().isNamed() ? "," + program.getModule().getName() : ""));
            command.add("--module");
            command.add(MODULE + "/" + main.getName());
        } else {
            command.add(main.getName());
        }
        command.add(program.getName());
        command.addAll(arguments);
        return command;
    }

    private String java() {
        boolean windows = File.separatorChar == '\\';
        return Path.of(system.getProperty("java.home"), "bin", windows ? "java.exe" : "java").toString();
    }

    private List<String> flags(int ranks) {
        List<String> extra = words(environment.getOrDefault(EXTRA_FLAGS, ""));
        List<String> flags = new ArrayList<>();
        flags.add("--enable-native-access=" + String.join(",", nativeAccess()));
        flags.add("--sun-misc-unsafe-memory-access=allow");
        flags.add("-Xshare:auto");
        if (extra.stream().noneMatch(flag -> flag.matches("-XX:[+-]Use\\w*GC"))) {
            // A rank's data is outside the Java heap, which is small: one collector thread is enough, and many ranks on
            // few processors must not bring many collector threads along.
            flags.add("-XX:+UseSerialGC");
        }
        if (extra.stream().noneMatch(flag -> flag.startsWith("-Xmx") || flag.startsWith("-XX:MaxRAMPercentage"))) {
            // All ranks of the machine together get at most half of its memory as Java heap.
            flags.add("-XX:MaxRAMPercentage=" + Math.min(25.0, Math.max(1.0, 50.0 / ranks)));
        }
        // Guice without generated classes starts sooner and needs no sun.misc.Unsafe.
        flags.add("-D" + GuiceOptions.BYTECODE + "=" + GuiceOptions.BYTECODE_OFF);
        // What the launcher reads, whatever the rank's locale is.
        flags.add("-Dstdout.encoding=UTF-8");
        flags.add("-Dstderr.encoding=UTF-8");
        flags.addAll(extra);
        return flags;
    }

    /** Those that call native code: on the class path all, on the module path the ones that are there. */
    private static List<String> nativeAccess() {
        List<String> modules = new ArrayList<>();
        modules.add("ALL-UNNAMED");
        ModuleLayer.boot()
                .modules()
                .stream()
                .map(Module::getName)
                .filter(name -> name.startsWith("dev.tandem.") || name.startsWith("org.bytedeco."))
                .sorted()
                .forEach(modules::add);
        return modules;
    }

    /** Splits at blanks outside of single and double quotes. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (char c : text.toCharArray()) {
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new UsageException(
                    "quote not closed: " + EXTRA_FLAGS + "=" + text + "; close it or leave it out");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
