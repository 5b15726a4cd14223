package dev.tandem.core.cli;

import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.launch.Sample;
import dev.tandem.core.launch.TestProgram;

/** A sample for the tests of the command line. */
public final class TestSample implements Sample {

    /** Creates it, as a service, a command or a module is created. */
    public TestSample() {
        // nothing to set
    }

    @Override
    public String name() {
        return "test-sample";
    }

    @Override
    public String summary() {
        return "Ends as it is told to, in a summary that is long enough to need more than one line of a terminal of usual"
                + " width.";
    }

    @Override
    public Class<? extends RankProgram> program() {
        return TestProgram.class;
    }
}
