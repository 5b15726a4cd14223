package dev.tandem.shmem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapLayoutTest {

    @Test
    void everyWordStandsWhereTheDrawingSaysAloneOnItsLine() {
        assertThat(HeapLayout.MAGIC_OFFSET).isZero();
        assertThat(HeapLayout.HOST_BARRIER_OFFSET).isEqualTo(64);
        assertThat(HeapLayout.KERNEL_BARRIER_OFFSET).isEqualTo(192);
        assertThat(HeapLayout.BLOCKS_OFFSET).isEqualTo(4096);
        assertThat(HeapLayout.LINE_BYTES).isEqualTo(64);
    }
}
