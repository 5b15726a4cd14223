/** What every part of Tandem stands on: tensors, worlds and launch, devices and streams, the command line. */
module dev.tandem.core {
    // a JVM under a debugger is known by the agent among its input arguments
    requires java.management;
    // part of the API: RankModules names module classes
    requires transitive com.google.guice;
    requires info.picocli;
    requires org.slf4j;

    exports dev.tandem.core;
    exports dev.tandem.core.device;
    exports dev.tandem.core.launch;
    exports dev.tandem.core.npy;
    exports dev.tandem.core.tensor;
    exports dev.tandem.core.world;
}
