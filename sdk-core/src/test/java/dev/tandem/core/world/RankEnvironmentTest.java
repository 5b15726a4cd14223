package dev.tandem.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.core.world.RankEnvironment.Launcher;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RankEnvironmentTest {

    private static final String TORCHRUN = "RANK=3 WORLD_SIZE=8 LOCAL_RANK=1 LOCAL_WORLD_SIZE=2 MASTER_ADDR=node7"
            + " MASTER_PORT=29500 TORCHELASTIC_RUN_ID=none TORCHELASTIC_USE_AGENT_STORE=True";
    private static final String SRUN = "SLURM_JOB_ID=77 SLURM_STEP_ID=2 SLURM_PROCID=5 SLURM_LOCALID=1 SLURM_NODEID=1"
            + " SLURM_NTASKS=7 SLURM_STEP_NUM_TASKS=7 SLURM_STEP_TASKS_PER_NODE=4,3"
            + " SLURM_STEP_NODELIST=gpu[03-04],big1";
    private static final String MPIRUN = "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1"
            + " OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_RANK=1 PMIX_NAMESPACE=prterun-host-4711@1";

    private static Map<String, String> variables(String text) {
        Map<String, String> variables = new HashMap<>(Map.of("PATH", "/usr/bin"));
        if (!text.isEmpty()) {
            for (String pair : text.split(" ")) {
                variables.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }
        return variables;
    }

    private static RankEnvironment read(String text) {
        return RankEnvironment.find(variables(text)).orElseThrow();
    }

    static Stream<Arguments> environments() {
        return Stream.of(
                Arguments.of(TORCHRUN, new RankEnvironment(3, 8, 1, 2, "node7", 29501, Launcher.TORCHRUN, "none")),
                Arguments.of(TORCHRUN.replace("=True", "=False"),
                        new RankEnvironment(3, 8, 1, 2, "node7", 29500, Launcher.TORCHRUN, "none")),
                Arguments.of(TORCHRUN.replace("29500", "65535"),
                        new RankEnvironment(3, 8, 1, 2, "node7", 65534, Launcher.TORCHRUN, "none")),
                Arguments.of(TORCHRUN + " TANDEM_RENDEZVOUS=other:4000",
                        new RankEnvironment(3, 8, 1, 2, "other", 4000, Launcher.TORCHRUN, "none")),
                // srun has started torchrun, once a node: the inner launcher counts
                Arguments.of(SRUN + " " + TORCHRUN,
                        new RankEnvironment(3, 8, 1, 2, "node7", 29501, Launcher.TORCHRUN, "none")),
                Arguments.of(
                        "RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=41000"
                                + " TANDEM_LAUNCHER=1 TANDEM_JOB=a-1",
                        new RankEnvironment(0, 2, 0, 2, "127.0.0.1", 41000, Launcher.TANDEM, "a-1")),
                Arguments.of("RANK=1 WORLD_SIZE=2 MASTER_PORT=41000",
                        new RankEnvironment(1, 2, 1, 2, "127.0.0.1", 41000, Launcher.VARIABLES, "")),
                Arguments.of("RANK=1 WORLD_SIZE=2 TANDEM_RENDEZVOUS=[::1]:7",
                        new RankEnvironment(1, 2, 1, 2, "::1", 7, Launcher.VARIABLES, "")),
                Arguments.of(MPIRUN, new RankEnvironment(1, 2, 1, 2, "127.0.0.1",
                        RankEnvironment.portOf("prterun-host-4711@1"), Launcher.OPEN_MPI, "prterun-host-4711@1")),
                Arguments.of(MPIRUN + " MASTER_PORT=29500 MASTER_ADDR=localhost",
                        new RankEnvironment(1, 2, 1, 2, "localhost", 29500, Launcher.OPEN_MPI, "prterun-host-4711@1")),
                // mpirun starts its daemons by srun, so Slurm's numbers are the daemons'
                Arguments.of(MPIRUN + " " + SRUN, new RankEnvironment(1, 2, 1, 2, "127.0.0.1",
                        RankEnvironment.portOf("prterun-host-4711@1"), Launcher.OPEN_MPI, "prterun-host-4711@1")),
                Arguments.of("PMIX_RANK=1 PMIX_NAMESPACE=n WORLD_SIZE=2", new RankEnvironment(
                        1, 2, 1, 2, "127.0.0.1", RankEnvironment.portOf("n"), Launcher.PMIX, "n")),
                Arguments.of(SRUN, new RankEnvironment(
                        5, 7, 1, 3, "gpu03", RankEnvironment.portOf("slurm-77-2"), Launcher.SLURM, "slurm-77-2")),
                Arguments.of(SRUN.replace("4,3", "3(x2),1"), new RankEnvironment(
                        5, 7, 1, 3, "gpu03", RankEnvironment.portOf("slurm-77-2"), Launcher.SLURM, "slurm-77-2")),
                Arguments.of(SRUN + " PMIX_RANK=5 PMIX_NAMESPACE=slurm.pmix.77.2", new RankEnvironment(
                        5, 7, 1, 3, "gpu03", RankEnvironment.portOf("slurm-77-2"), Launcher.SLURM, "slurm-77-2")));
    }

    @ParameterizedTest
    @MethodSource("environments")
    void readsWhatLaunchersSay(String text, RankEnvironment want) {
        assertThat(RankEnvironment.find(variables(text))).contains(want);
    }

    @ParameterizedTest
    @MethodSource("noRanks")
    void findsNoRankWhereNoneWasStarted(String text) {
        assertThat(RankEnvironment.find(variables(text))).isEmpty();
    }

    static Stream<String> noRanks() {
        return Stream.of(
                "",
                "MASTER_ADDR=a MASTER_PORT=1",
                "TANDEM_RENDEZVOUS=a:1",
                // a batch script, an interactive step, a shell by srun --pty
                "SLURM_JOB_ID=77 SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NTASKS=4",
                "SLURM_JOB_ID=77 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_ID=4294967290",
                "SLURM_JOB_ID=77 SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_ID=0 SLURM_PTY_PORT=40001");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("LOCAL_RANK=0",
                        "half a rank environment: LOCAL_RANK=0 is set, but not RANK and WORLD_SIZE; set"
                                + " RANK and WORLD_SIZE, or unset LOCAL_RANK to let the program start its own ranks"),
                Arguments.of("LOCAL_RANK=0 RANK=0", "half a rank environment: RANK=0 is set, but not WORLD_SIZE; set"
                        + " WORLD_SIZE, or unset RANK to let the program start its own ranks"),
                Arguments.of("WORLD_SIZE=2",
                        "half a rank environment: WORLD_SIZE=2 is set, but not RANK; set RANK, or unset"
                                + " WORLD_SIZE to let the program start its own ranks"),
                Arguments.of("RANK=2 WORLD_SIZE=2 MASTER_PORT=1",
                        "rank out of range: RANK=2, WORLD_SIZE=2; set RANK to 0 to 1 or raise WORLD_SIZE"),
                Arguments.of("RANK=1 WORLD_SIZE=4 LOCAL_RANK=3 LOCAL_WORLD_SIZE=2 MASTER_PORT=1",
                        "rank out of range: LOCAL_RANK=3, LOCAL_WORLD_SIZE=2; set LOCAL_RANK to 0 to 1 or raise"
                                + " LOCAL_WORLD_SIZE"),
                Arguments.of("RANK=1 WORLD_SIZE=2 LOCAL_WORLD_SIZE=4 MASTER_PORT=1",
                        "half a rank environment: LOCAL_WORLD_SIZE=4 is set, but not LOCAL_RANK; set LOCAL_RANK, or unset"
                                + " LOCAL_WORLD_SIZE to let the program start its own ranks"),
                Arguments.of("RANK=one WORLD_SIZE=2",
                        "not a whole number of 0 or more: RANK=one; set RANK to one, or unset it"),
                Arguments.of("RANK=-1 WORLD_SIZE=2",
                        "not a whole number of 0 or more: RANK=-1; set RANK to one, or unset it"),
                Arguments.of("RANK=0 WORLD_SIZE=0",
                        "world size out of range: WORLD_SIZE=0, limit=1 to 4096; set WORLD_SIZE to the number of ranks"),
                Arguments.of("RANK=0 WORLD_SIZE=2", "no rendezvous port: MASTER_PORT is not set beside RANK=0; set"
                        + " MASTER_PORT to one free port on all ranks, or TANDEM_RENDEZVOUS=host:port"),
                Arguments.of("RANK=0 WORLD_SIZE=2 MASTER_PORT=70000",
                        "not a port: MASTER_PORT=70000; set MASTER_PORT to 1 to 65535"),
                Arguments.of("RANK=0 WORLD_SIZE=2 TANDEM_RENDEZVOUS=host",
                        "not an address: TANDEM_RENDEZVOUS=host; write it as host:port with a port of 1 to 65535, an IPv6"
                                + " address in brackets"),
                Arguments.of("RANK=0 WORLD_SIZE=2 MASTER_ADDR=far MASTER_PORT=1",
                        "half a rank environment: RANK=0 is set, but not LOCAL_WORLD_SIZE; set LOCAL_WORLD_SIZE, or unset"
                                + " RANK to let the program start its own ranks"),
                Arguments.of("OMPI_COMM_WORLD_RANK=0", "half a rank environment: OMPI_COMM_WORLD_RANK=0 is set, but not"
                        + " OMPI_COMM_WORLD_SIZE; set OMPI_COMM_WORLD_SIZE, or unset OMPI_COMM_WORLD_RANK to let the program"
                        + " start its own ranks"),
                Arguments.of("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0"
                        + " OMPI_COMM_WORLD_LOCAL_SIZE=2",
                        "no rendezvous address: MASTER_ADDR is not set and OMPI_COMM_WORLD_SIZE=4,"
                                + " OMPI_COMM_WORLD_LOCAL_SIZE=2 spread the ranks over machines; set MASTER_ADDR to the"
                                + " machine of rank 0, or TANDEM_RENDEZVOUS=host:port"),
                Arguments.of("PMIX_RANK=0",
                        "half a rank environment: PMIX_RANK=0 is set, but not WORLD_SIZE; set WORLD_SIZE,"
                                + " or unset PMIX_RANK to let the program start its own ranks"),
                Arguments.of(MPIRUN + " RANK=0 WORLD_SIZE=2",
                        "launchers disagree: RANK=0, OMPI_COMM_WORLD_RANK=1; unset the"
                                + " one that did not start this rank"),
                Arguments.of(SRUN + " LOCAL_RANK=0",
                        "launchers disagree: LOCAL_RANK=0, SLURM_LOCALID=1; unset the one that"
                                + " did not start this rank"),
                Arguments.of(SRUN.replace("4,3", "four"),
                        "not a list of task counts: SLURM_STEP_TASKS_PER_NODE=four; Slurm"
                                + " writes it as 4(x2),3: start the ranks with srun"),
                Arguments.of("RANK=0 WORLD_SIZE=2 MASTER_PORT=1 TANDEM_JOB=../x",
                        "not a job name: TANDEM_JOB=../x; use 1 to 64 letters, digits and -"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakesAreOneSentenceThatNamesTheVariable(String text, String sentence) {
        assertThatThrownBy(() -> RankEnvironment.find(variables(text)))
                .isInstanceOf(SetupException.class)
                .hasMessage(sentence);
    }

    @Test
    void theCommandLineOverridesEverything() {
        Map<String, String> variables = variables(TORCHRUN + " TANDEM_RENDEZVOUS=other:4000");
        RankEnvironment given = RankEnvironment.find(variables, "mine", 5000).orElseThrow();
        assertThat(given.masterAddress()).isEqualTo("mine");
        assertThat(given.masterPort()).isEqualTo(5000);
        assertThat(RankEnvironment.find(variables("RANK=0 WORLD_SIZE=2"), null, 5000).orElseThrow().masterPort())
                .isEqualTo(5000);
        assertThatThrownBy(() -> RankEnvironment.find(variables, null, 70_000))
                .hasMessage("not a port: --master-port=70000; give 1 to 65535");
    }

    @Test
    void rulePortsStayBelowTheEphemeralRangeAndSpread() {
        assertThat(Stream.iterate(0, i -> i + 1).limit(500).map(i -> RankEnvironment.portOf("slurm-77-" + i)).toList())
                .allMatch(port -> port >= 20_000 && port < 30_000)
                .satisfies(ports -> assertThat(ports.stream().distinct().count()).isGreaterThan(450));
    }

    @Test
    void refusesNumbersThatDoNotBelongTogether() {
        assertThat(read(TORCHRUN).oneMachine()).isFalse();
        assertThat(read(MPIRUN).oneMachine()).isTrue();
        assertThatThrownBy(() -> new RankEnvironment(2, 2, 0, 1, "a", 1, Launcher.VARIABLES, ""))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new RankEnvironment(0, 2, 0, 3, "a", 1, Launcher.VARIABLES, ""))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new RankEnvironment(0, 2, 0, 1, " ", 1, Launcher.VARIABLES, ""))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new RankEnvironment(0, 2, 0, 1, "a", 0, Launcher.VARIABLES, ""))
                .isInstanceOf(UsageException.class);
    }
}
