/** What every part of Tandem stands on: tensors, worlds and launch, devices and streams, the command line. */
module dev.tandem.core {
    // what Guice needs and, being an automatic module, cannot say
    requires com.google.common;
    requires jakarta.inject;
    // Guice logs there what it also throws; it is told not to
    requires java.logging;
    // a JVM under a debugger is known by the agent among its input arguments
    requires java.management;
    // part of the API: RankModules names module classes
    requires transitive com.google.guice;
    requires info.picocli;
    requires org.slf4j;

    exports dev.tandem.core;
    exports dev.tandem.core.cli;
    exports dev.tandem.core.device;
    exports dev.tandem.core.launch;
    exports dev.tandem.core.npy;
    exports dev.tandem.core.tensor;
    exports dev.tandem.core.world;

    // Guice calls the methods of CoreModule that make objects
    opens dev.tandem.core.launch to com.google.guice;

    // picocli sets the fields of commands and options
    opens dev.tandem.core.cli to info.picocli;
    opens dev.tandem.core.internal.launch to info.picocli;

    uses dev.tandem.core.cli.Subcommand;
    uses dev.tandem.core.launch.Sample;
}
