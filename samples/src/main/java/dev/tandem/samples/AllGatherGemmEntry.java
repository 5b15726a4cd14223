package dev.tandem.samples;

import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.launch.Sample;

/** {@link AllGatherGemmSample} for the tandem command. */
public final class AllGatherGemmEntry implements Sample {

    /** Creates the entry. */
    public AllGatherGemmEntry() {
    }

    @Override
    public String name() {
        return "allgather-gemm";
    }

    @Override
    public String summary() {
        return "01 AllGather-GEMM: multiply the shards of all ranks while they arrive";
    }

    @Override
    public Class<? extends RankProgram> program() {
        return AllGatherGemmSample.class;
    }
}
