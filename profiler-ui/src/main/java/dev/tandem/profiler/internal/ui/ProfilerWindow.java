package dev.tandem.profiler.internal.ui;

import dev.tandem.core.Check;
import dev.tandem.core.TandemException;
import dev.tandem.profiler.analysis.Verdict;
import dev.tandem.profiler.internal.report.Report;
import dev.tandem.profiler.trace.TraceReader;
import java.awt.BorderLayout;
import java.awt.CardLayout;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.FileDialog;
import java.awt.Font;
import java.awt.Toolkit;
import java.awt.event.KeyEvent;
import java.awt.event.WindowListener;
import java.io.File;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import javax.swing.BorderFactory;
import javax.swing.ButtonGroup;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JProgressBar;
import javax.swing.JRadioButtonMenuItem;
import javax.swing.KeyStroke;
import javax.swing.SwingConstants;
import javax.swing.SwingUtilities;
import javax.swing.UIManager;
import javax.swing.WindowConstants;
import org.jfree.chart.ChartPanel;
import org.jfree.chart.JFreeChart;

/** The profiler's window: a verdict, and a bar for each rank. Every method is for the event thread; others are refused. */
public final class ProfilerWindow {

    private static final String EMPTY = "empty";
    private static final String CHART = "chart";

    private final TraceReader reader;
    private final JFrame frame = new JFrame("Tandem profiler");
    private final JLabel verdict = new JLabel("Open a trace");
    private final JLabel status = new JLabel(" ");
    private final JLabel hint = new JLabel("Drop a trace file here, or choose File, Open.", SwingConstants.CENTER);
    private final JPanel cards = new JPanel(new CardLayout());
    private final ChartPanel chart = new ChartPanel(null, true);
    private final JProgressBar progress = new JProgressBar(0, 100);
    private final JButton cancel = new JButton("Cancel");
    private Theme theme;
    private Report report;
    private ImportWorker worker;

    /** Makes the window, not yet visible. */
    public ProfilerWindow(TraceReader reader, Theme theme) {
        requireEventThread();
        this.reader = reader;
        this.theme = theme;
        theme.apply();
        frame.setDefaultCloseOperation(WindowConstants.DISPOSE_ON_CLOSE);
        frame.setJMenuBar(menus());
        verdict.setBorder(BorderFactory.createEmptyBorder(20, 24, 4, 24));
        status.setBorder(BorderFactory.createEmptyBorder(6, 0, 6, 12));
        cards.add(hint, EMPTY);
        cards.add(chart, CHART);
        cards.setBorder(BorderFactory.createEmptyBorder(4, 12, 0, 12));
        chart.setMinimumDrawWidth(0);
        chart.setMinimumDrawHeight(0);
        chart.setMaximumDrawWidth(Integer.MAX_VALUE);
        chart.setMaximumDrawHeight(Integer.MAX_VALUE);
        chart.setPopupMenu(null);
        chart.setMouseZoomable(false);
        frame.add(verdict, BorderLayout.NORTH);
        frame.add(cards, BorderLayout.CENTER);
        frame.add(footer(), BorderLayout.SOUTH);
        FileDrop.install(frame.getRootPane(), this::open);
        frame.setMinimumSize(new Dimension(480, 320));
        frame.setSize(1000, 560);
        frame.setLocationByPlatform(true);
        restyle();
    }

    /** Shows the window. */
    public void show() {
        requireEventThread();
        frame.setVisible(true);
    }

    /** Tells a listener when the window opens, closes and the like. */
    public void whenClosed(WindowListener listener) {
        requireEventThread();
        frame.addWindowListener(listener);
    }

    /** Ends a running import and closes the window. */
    public void close() {
        requireEventThread();
        cancel();
        frame.dispose();
    }

    /** Starts to read a file; one that is being read is given up. */
    public void open(Path file) {
        requireEventThread();
        cancel();
        progress.setValue(0);
        progress.setVisible(true);
        cancel.setVisible(true);
        status.setText("Reading " + file.getFileName() + " …");
        ImportWorker[] self = new ImportWorker[1];
        ImportWorker started = new ImportWorker(reader, file, outcome -> finished(self[0], file, outcome));
        self[0] = started;
        started.addPropertyChangeListener(change -> {
            if (change.getPropertyName().equals("progress") && started == worker) {
                progress.setValue((Integer) change.getNewValue());
            }
        });
        worker = started;
        started.execute();
    }

    /** Ends a running import, if there is one. */
    public void cancel() {
        requireEventThread();
        if (worker != null) {
            worker.cancel(false);
        }
    }

    /** Changes the look at once. */
    public void setTheme(Theme theme) {
        requireEventThread();
        this.theme = theme;
        theme.apply();
        restyle();
    }

    private void finished(ImportWorker from, Path file, ImportWorker.Outcome outcome) {
        if (from != worker) {
            return;
        }
        worker = null;
        progress.setVisible(false);
        cancel.setVisible(false);
        if (outcome.report() != null) {
            show(outcome.report());
        } else if (outcome.failure() == null) {
            status.setText("Reading " + file.getFileName() + " was cancelled.");
        } else {
            status.setText(sentence(file, outcome.failure()));
        }
    }

    private static String sentence(Path file, Throwable failure) {
        if (failure instanceof TandemException) {
            return failure.getMessage();
        }
        if (failure instanceof NoSuchFileException) {
            return file.getFileName() + ": no such file";
        }
        return file.getFileName() + ": cannot be read: " + failure;
    }

    private void show(Report read) {
        report = read;
        frame.setTitle(read.trace().title() + " – Tandem profiler");
        verdict.setText(Verdict.of(read.ranks()));
        status.setText(summary(read));
        status.setToolTipText(notes(read));
        restyle();
        ((CardLayout) cards.getLayout()).show(cards, read.ranks().isEmpty() ? EMPTY : CHART);
        hint.setText("No slice of this trace is known as computing, communication, copying or waiting.");
    }

    private static String summary(Report read) {
        long noted = read.trace().notes().values().stream().mapToLong(Long::longValue).sum();
        return read.trace().slices() + " slices in " + read.trace().lanes().size() + " lanes"
                + (noted == 0 ? "" : "; " + noted + " skipped, repaired or unknown: point here for the list");
    }

    private static String notes(Report read) {
        if (read.trace().notes().isEmpty()) {
            return null;
        }
        return read.trace()
                .notes()
                .entrySet()
                .stream()
                .map(ProfilerWindow::line)
                .collect(Collectors.joining("<br>", "<html>", "</html>"));
    }

    private static String line(Map.Entry<String, Long> note) {
        return note.getValue() + " " + note.getKey().replace("&", "&amp;").replace("<", "&lt;");
    }

    /** Gives the parts that FlatLaf does not style their colours and fonts. */
    private void restyle() {
        Font font = UIManager.getFont("Label.font");
        verdict.setFont(font.deriveFont(Font.BOLD, font.getSize2D() * 1.5f));
        Color background = UIManager.getColor("Panel.background");
        chart.setBackground(background);
        if (report != null && !report.ranks().isEmpty()) {
            chart.setChart(OverlapChart.of(report.ranks(), new OverlapChart.Style(theme.isDark(), background,
                    UIManager.getColor("Label.foreground"), UIManager.getColor("Component.borderColor"), font)));
        }
        frame.repaint();
    }

    private JPanel footer() {
        JPanel work = new JPanel();
        work.add(progress);
        work.add(cancel);
        progress.setVisible(false);
        cancel.setVisible(false);
        cancel.addActionListener(event -> cancel());
        JPanel footer = new JPanel(new BorderLayout());
        footer.setBorder(BorderFactory.createEmptyBorder(0, 24, 4, 12));
        footer.add(status, BorderLayout.CENTER);
        footer.add(work, BorderLayout.EAST);
        return footer;
    }

    private JMenuBar menus() {
        int menuKey = Toolkit.getDefaultToolkit().getMenuShortcutKeyMaskEx();
        JMenu file = new JMenu("File");
        file.setMnemonic(KeyEvent.VK_F);
        JMenuItem open = new JMenuItem("Open…");
        open.setAccelerator(KeyStroke.getKeyStroke(KeyEvent.VK_O, menuKey));
        open.addActionListener(event -> choose());
        JMenuItem close = new JMenuItem("Close");
        close.setAccelerator(KeyStroke.getKeyStroke(KeyEvent.VK_W, menuKey));
        close.addActionListener(event -> close());
        file.add(open);
        file.addSeparator();
        file.add(close);
        JMenu view = new JMenu("View");
        view.setMnemonic(KeyEvent.VK_V);
        ButtonGroup group = new ButtonGroup();
        for (Theme choice : Theme.values()) {
            JRadioButtonMenuItem item = new JRadioButtonMenuItem(switch (choice) {
                case SYSTEM -> "As the desktop";
                case LIGHT -> "Light";
                case DARK -> "Dark";
            }, choice == theme);
            item.addActionListener(event -> setTheme(choice));
            group.add(item);
            view.add(item);
        }
        JMenuBar bar = new JMenuBar();
        bar.add(file);
        bar.add(view);
        return bar;
    }

    private void choose() {
        FileDialog dialog = new FileDialog(frame, "Open a trace", FileDialog.LOAD);
        dialog.setVisible(true);
        File[] chosen = dialog.getFiles();
        if (chosen.length > 0) {
            open(chosen[0].toPath());
        }
    }

    private static void requireEventThread() {
        Check.that(SwingUtilities.isEventDispatchThread(),
                "the window belongs to the event thread: thread=" + Thread.currentThread().getName()
                        + ", needed=AWT event thread; call by SwingUtilities.invokeLater");
    }

    JFrame frame() {
        return frame;
    }

    String verdictText() {
        return verdict.getText();
    }

    String statusText() {
        return status.getText();
    }

    JFreeChart chart() {
        return chart.getChart();
    }

    boolean isReading() {
        return worker != null;
    }
}
