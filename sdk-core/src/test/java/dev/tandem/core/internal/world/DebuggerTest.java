package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DebuggerTest {

    @Test
    void isKnownByTheAgentWhereverItIsNamed() {
        String agent = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=5005";
        assertThat(Debugger.present(List.of("-Xmx1g", agent), Map.of())).isTrue();
        assertThat(Debugger.present(List.of("-Xrunjdwp:transport=dt_socket"), Map.of())).isTrue();
        assertThat(Debugger.present(List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Dx=y " + agent))).isTrue();
        assertThat(Debugger.present(List.of(), Map.of("JDK_JAVA_OPTIONS", agent))).isTrue();
        assertThat(Debugger.present(List.of("-Djdwp=no", "-cp", "x"), Map.of("PATH", agent))).isFalse();
    }

    @Test
    void isSeenAsTheJvmSeesIt() {
        assertThat(Debugger.present()).isEqualTo(
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream().anyMatch(a -> a.contains("jdwp")));
    }
}
