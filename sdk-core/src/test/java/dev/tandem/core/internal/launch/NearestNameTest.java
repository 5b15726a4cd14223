package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

    private static final List<String> SAMPLES = List.of("allgather-gemm", "gemm-allreduce-oneshot",
            "gemm-allreduce-notify", "moe-dispatch", "moe-combine");

    @ParameterizedTest
    @CsvSource({"allgather-gem, allgather-gemm", "algather-gemm, allgather-gemm", "allgahter-gemm, allgather-gemm",
        "AllGather-GEMM, allgather-gemm", "allgather, allgather-gemm", "moe-dispach, moe-dispatch",
        "gemm-allreduce-notfy, gemm-allreduce-notify"})
    void findsWhatWasMeant(String typed, String meant) {
        assertThat(NearestName.to(typed, SAMPLES)).contains(meant);
    }

    @Test
    void suggestsNothingThatIsFar() {
        assertThat(NearestName.to("flash-attention", SAMPLES)).isEmpty();
        assertThat(NearestName.to("", SAMPLES)).isEmpty();
        assertThat(NearestName.to("x", List.of())).isEmpty();
    }

    @Test
    void countsASwapAsOneEdit() {
        assertThat(NearestName.edits("gemm", "gmem")).isEqualTo(1);
        assertThat(NearestName.edits("", "abc")).isEqualTo(3);
        assertThat(NearestName.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.edits("same", "same")).isZero();
    }
}
