package dev.tandem.profiler.internal.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.profiler.Cases;
import dev.tandem.profiler.analysis.RankOverlap;
import dev.tandem.profiler.analysis.Verdict;
import dev.tandem.profiler.internal.chrome.ChromeTraceReader;
import dev.tandem.profiler.internal.report.Report;
import dev.tandem.profiler.trace.ImportProgress;
import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import javax.swing.JComponent;
import javax.swing.RepaintManager;
import javax.swing.SwingUtilities;
import org.jfree.data.category.CategoryDataset;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The window itself, on a real display. */
@Timeout(120)
class ProfilerWindowTest {

    /** Swing work seen off the event thread, by its stack. */
    private final List<Throwable> violations = new CopyOnWriteArrayList<>();

    @BeforeEach
    void displayIsThere() throws Exception {
        Assumptions.assumeTrue(Display.missing().isEmpty(), () -> "no display: " + Display.missing().orElse(""));
        onEventThread(() -> {
            RepaintManager.setCurrentManager(new WatchingManager(violations));
            return null;
        });
    }

    @Test
    void showsWhatTheAnalysisSays() throws Exception {
        Path file = Cases.small("sampled_rank-0.json.gz");
        List<RankOverlap> expected = Report.of(new ChromeTraceReader().read(file, ImportProgress.NONE)).ranks();
        ProfilerWindow window = onEventThread(() -> new ProfilerWindow(new ChromeTraceReader(), Theme.LIGHT));
        try {
            openAndWait(window, file);
            assertThat(onEventThread(window::verdictText)).isEqualTo(Verdict.of(expected));
            checkBars(onEventThread(() -> window.chart().getCategoryPlot().getDataset()), expected);
            int light = screenshot(window, "profiler-light.png");
            onEventThread(() -> {
                window.setTheme(Theme.DARK);
                return null;
            });
            assertThat(onEventThread(window::verdictText)).isEqualTo(Verdict.of(expected));
            int dark = screenshot(window, "profiler-dark.png");
            assertThat(dark & 0xFF).isLessThan(light & 0xFF);
        } finally {
            onEventThread(() -> {
                window.close();
                return null;
            });
        }
        assertThat(onEventThread(() -> window.frame().isDisplayable())).isFalse();
        assertThat(violations).isEmpty();
    }

    @Test
    void aFileThatIsNoTraceIsSaidAndTheWindowLives() throws Exception {
        ProfilerWindow window = onEventThread(() -> new ProfilerWindow(new ChromeTraceReader(), Theme.LIGHT));
        try {
            openAndWait(window, Cases.small("README.md"));
            assertThat(onEventThread(window::statusText)).contains("README.md: not a Chrome trace");
            openAndWait(window, Cases.small("missing.json"));
            assertThat(onEventThread(window::statusText)).isEqualTo("missing.json: no such file");
        } finally {
            onEventThread(() -> {
                window.close();
                return null;
            });
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void aRunningImportCanBeCancelled() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        ProfilerWindow window = onEventThread(() -> new ProfilerWindow((file, progress) -> {
            reading.countDown();
            while (progress.read(1, 2)) {
                Thread.onSpinWait();
            }
            throw new java.util.concurrent.CancellationException("cancelled");
        }, Theme.LIGHT));
        try {
            onEventThread(() -> {
                window.open(Path.of("endless.json"));
                return null;
            });
            assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
            onEventThread(() -> {
                window.cancel();
                return null;
            });
            waitWhileReading(window);
            assertThat(onEventThread(window::statusText)).isEqualTo("Reading endless.json was cancelled.");
        } finally {
            onEventThread(() -> {
                window.close();
                return null;
            });
        }
    }

    @Test
    void otherThreadsAreRefusedAndTheWatchSeesThem() throws Exception {
        assertThatThrownBy(() -> new ProfilerWindow(new ChromeTraceReader(), Theme.LIGHT))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("event thread");
        new javax.swing.JLabel("made off the event thread").setText("and changed there");
        assertThat(violations).isNotEmpty();
    }

    private static void openAndWait(ProfilerWindow window, Path file) throws Exception {
        onEventThread(() -> {
            window.show();
            window.open(file);
            return null;
        });
        waitWhileReading(window);
    }

    private static void waitWhileReading(ProfilerWindow window) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (onEventThread(window::isReading)) {
            assertThat(System.nanoTime()).as("still reading after 60 s").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void checkBars(CategoryDataset data, List<RankOverlap> ranks) {
        for (RankOverlap rank : ranks) {
            assertBar(data, "Computing only", rank.computingNs() - rank.overlappedNs(), rank);
            assertBar(data, "Overlapped", rank.overlappedNs(), rank);
            assertBar(data, "Exposed communication", rank.exposedNs(), rank);
            assertBar(data, "Free", rank.freeNs(), rank);
            double sum = 0;
            for (int row = 0; row < data.getRowCount(); row++) {
                sum += data.getValue(row, data.getColumnIndex(rank.rank())).doubleValue();
            }
            assertThat(Math.round(sum * 1e6)).isEqualTo(rank.windowNs());
        }
    }

    private static void assertBar(CategoryDataset data, String part, long ns, RankOverlap rank) {
        assertThat(Math.round(data.getValue(part, rank.rank()).doubleValue() * 1e6)).as(part).isEqualTo(ns);
    }

    /** Paints the window into a picture for people to look at, and gives the colour near a corner. */
    private static int screenshot(ProfilerWindow window, String name) throws Exception {
        BufferedImage image = onEventThread(() -> {
            BufferedImage picture = new BufferedImage(window.frame().getWidth(), window.frame().getHeight(),
                    BufferedImage.TYPE_INT_RGB);
            window.frame().paintAll(picture.getGraphics());
            return picture;
        });
        File folder = new File(System.getProperty("tandem.project", ".."), "profiler-ui/target/screenshots");
        assertThat(folder.isDirectory() || folder.mkdirs()).isTrue();
        ImageIO.write(image, "png", new File(folder, name));
        return image.getRGB(image.getWidth() / 2, image.getHeight() - 4);
    }

    private static <T> T onEventThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        SwingUtilities.invokeLater(task);
        return task.get(60, TimeUnit.SECONDS);
    }

    /** Notes every component that another thread marks for painting or layout. */
    private static final class WatchingManager extends RepaintManager {

        private final List<Throwable> violations;

        WatchingManager(List<Throwable> violations) {
            this.violations = violations;
        }

        @Override
        public synchronized void addInvalidComponent(JComponent component) {
            check();
            super.addInvalidComponent(component);
        }

        @Override
        public void addDirtyRegion(JComponent component, int x, int y, int width, int height) {
            check();
            super.addDirtyRegion(component, x, y, width, height);
        }

        private void check() {
            if (!SwingUtilities.isEventDispatchThread()) {
                violations.add(new IllegalStateException("Swing off the event thread"));
            }
        }
    }
}
