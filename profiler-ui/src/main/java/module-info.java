/** The profiler: trace import, overlap analysis, Swing views and reports. */
module dev.tandem.profiler {
    requires transitive dev.tandem.core;
    requires com.fasterxml.jackson.core;
    requires com.formdev.flatlaf;
    requires info.picocli;
    requires java.desktop;
    requires org.jfree.jfreechart;
    requires org.slf4j;

    exports dev.tandem.profiler;
    exports dev.tandem.profiler.analysis;
    exports dev.tandem.profiler.trace;

    // picocli sets the fields of commands
    opens dev.tandem.profiler.internal.cli to info.picocli;

    provides dev.tandem.core.cli.Subcommand with dev.tandem.profiler.internal.cli.ProfilerCommand,
            dev.tandem.profiler.internal.cli.ReportCommand;
}
