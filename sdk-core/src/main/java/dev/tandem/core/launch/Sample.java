package dev.tandem.core.launch;

/** A program that {@code tandem run NAME} finds; provided as a service. */
public interface Sample {

    /**
     * Names the sample on the command line.
     *
     * @return lower-case words joined by {@code -}
     */
    String name();

    /**
     * Says in one line what it shows.
     *
     * @return a line for {@code tandem samples}
     */
    String summary();

    /**
     * Gives what each rank runs.
     *
     * @return a picocli command class with a constructor without arguments
     */
    Class<? extends RankProgram> program();
}
