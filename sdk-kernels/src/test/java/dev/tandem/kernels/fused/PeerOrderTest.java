package dev.tandem.kernels.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerOrderTest {

    @Test
    void everyPieceGoesToEveryRankOnce() {
        for (int ranks = 1; ranks <= 9; ranks++) {
            for (int rows = 1; rows <= 12; rows++) {
                for (int cols = 1; cols <= 5; cols++) {
                    PeerOrder order = new PeerOrder(ranks, rows, cols);
                    assertThat(order.tasks()).isEqualTo(ranks * rows * cols);
                    boolean[] seen = new boolean[order.tasks()];
                    for (int i = 0; i < order.tasks(); i++) {
                        int at = (order.peer(i) * rows + order.row(i)) * cols + order.col(i);
                        assertThat(seen[at]).as("ranks=%d rows=%d cols=%d index=%d", ranks, rows, cols, i).isFalse();
                        seen[at] = true;
                    }
                }
            }
        }
    }

    @Test
    void neighboursInTimeTalkToDifferentRanks() {
        PeerOrder order = new PeerOrder(4, 5, 3);
        for (int first = 0; first + 4 <= 15; first++) {
            Set<Integer> peers = new HashSet<>();
            for (int i = first; i < first + 4; i++) {
                peers.add(order.peer(i));
            }
            assertThat(peers).as("pieces from %d", first).hasSize(4);
        }
    }

    @Test
    void emptyIsRefused() {
        assertThatThrownBy(() -> new PeerOrder(2, 1, 0)).isInstanceOf(UsageException.class)
                .hasMessageContaining("pieceCols=0");
    }
}
