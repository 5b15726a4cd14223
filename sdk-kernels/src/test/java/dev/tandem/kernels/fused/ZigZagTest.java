package dev.tandem.kernels.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZigZagTest {

    @Test
    void everyTileComesOnce() {
        for (int rows = 1; rows <= 23; rows++) {
            for (int cols = 1; cols <= 30; cols++) {
                ZigZag order = new ZigZag(rows, cols);
                boolean[][] seen = new boolean[rows][cols];
                assertThat(order.tiles()).isEqualTo(rows * cols);
                for (int i = 0; i < order.tiles(); i++) {
                    int row = order.row(i);
                    int col = order.col(i);
                    assertThat(seen[row][col]).as("rows=%d cols=%d index=%d -> (%d, %d)", rows, cols, i, row, col)
                            .isFalse();
                    seen[row][col] = true;
                }
            }
        }
    }

    @Test
    void groupsOfSevenColumnsGoDownAndUpInTurn() {
        ZigZag order = new ZigZag(2, 9);
        List<String> walk = new ArrayList<>();
        for (int i = 0; i < order.tiles(); i++) {
            walk.add(order.row(i) + "," + order.col(i));
        }
        assertThat(walk).containsExactly("0,0", "0,1", "0,2", "0,3", "0,4", "0,5", "0,6", "1,0", "1,1", "1,2", "1,3",
                "1,4",
                "1,5", "1,6", "1,7", "1,8", "0,7", "0,8");
    }

    @Test
    void isTheMapOfTheOriginal() {
        // Written out once more from the definition, tile sizes included.
        for (int[] size : new int[][]{{4096, 4096, 128, 256}, {777, 3333, 128, 256}, {100, 100, 16, 32},
            {1, 1, 16, 32}}) {
            int r = (size[0] + size[2] - 1) / size[2];
            int n = (size[1] + size[3] - 1) / size[3];
            ZigZag order = new ZigZag(r, n);
            for (int i = 0; i < r * n; i++) {
                int g = i / (7 * r);
                int w = n - 7 * g < 7 ? n - 7 * g : 7;
                int e = i - g * 7 * r;
                assertThat(order.col(i)).isEqualTo(7 * g + e % w);
                assertThat(order.row(i)).isEqualTo(g % 2 == 1 ? r - 1 - e / w : e / w);
            }
        }
    }

    @Test
    void emptyIsRefused() {
        assertThatThrownBy(() -> new ZigZag(0, 1)).isInstanceOf(UsageException.class)
                .hasMessageContaining("tileRows=0");
    }
}
