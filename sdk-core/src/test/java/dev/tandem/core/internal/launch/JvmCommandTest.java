package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class JvmCommandTest {

    private final Properties system = new Properties();

    private List<String> command(Map<String, String> environment, int ranks) {
        system.setProperty("java.home", "/a jdk");
        system.setProperty("java.class.path", "lib/a.jar:lib/b.jar");
        return new JvmCommand(system, environment).of(RankMain.class, String.class, ranks, List.of("--m", "a b"));
    }

    @Test
    void aRankRunsTheSameJavaWithTheSameClassPath() {
        assertThat(command(Map.of(), 2))
                .startsWith(java.nio.file.Path.of("/a jdk", "bin", "java").toString())
                .containsSequence("-cp", "lib/a.jar:lib/b.jar", RankMain.class.getName(), "java.lang.String", "--m",
                        "a b")
                .contains("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC");
    }

    @Test
    void ranksShareTheMemoryOfTheMachine() {
        assertThat(command(Map.of(), 1)).contains("-XX:MaxRAMPercentage=25.0");
        assertThat(command(Map.of(), 8)).contains("-XX:MaxRAMPercentage=6.25");
        assertThat(command(Map.of(), 1000)).contains("-XX:MaxRAMPercentage=1.0");
    }

    @Test
    void flagsOfOnesOwnReplaceThoseTheyContradict() {
        assertThat(command(Map.of("TANDEM_JVM_ARGS", "-XX:+UseZGC -Xmx2g '-Da=b c'"), 2))
                .containsSubsequence("-XX:+UseZGC", "-Xmx2g", "-Da=b c", "-cp")
                .doesNotContain("-XX:+UseSerialGC")
                .noneMatch(flag -> flag.startsWith("-XX:MaxRAMPercentage"));
    }

    @Test
    void quotesKeepAFlagTogether() {
        assertThat(JvmCommand.words("  a 'b c'd \"e 'f'\" '' ")).containsExactly("a", "b cd", "e 'f'", "");
        assertThatThrownBy(() -> JvmCommand.words("a 'b"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("TANDEM_JVM_ARGS=a 'b");
    }
}
