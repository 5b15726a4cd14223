package dev.tandem.core.internal.world;

/** What a member and the hub tell each other. Immutable, except that the bytes of a chunk are shared and never written. */
sealed interface Message {

    /** Member: I am in this collective. */
    record Enter(Call call) implements Message {
    }

    /** Hub: everyone is in; so many bytes come from each rank. */
    record Start(long number, long[] lengthsBytes) implements Message {
    }

    /** Both ways: a piece of one rank's contribution. Of one source they come in order. */
    record Chunk(long number, int source, long offsetBytes, byte[] bytes) implements Message {

        /** The longest piece. */
        static final int MAX_BYTES = 256 << 10;

        /** How many pieces of one source may be under way. */
        static final int WINDOW = 4;
    }

    /** Hub: one of your pieces has reached everyone. */
    record Credit(long number) implements Message {
    }

    /** Member: my wait in this collective has passed its deadline. */
    record Overdue(long number, long waitedNs) implements Message {
    }

    /** Both ways: the job comes down. */
    record Abort(Failure failure) implements Message {
    }

    /** Member: I have finished. */
    record Leave() implements Message {
    }

    /** Hub: your goodbye was heard. */
    record Left() implements Message {
    }

    /** Hub: all ranks are there. */
    record Welcome(String jobId) implements Message {
    }

    /** Hub: some rank runs under a debugger or without a timeout, so deadlines stand still. */
    record Patience() implements Message {
    }

    /** Both ways: I live. Nobody sends it yet; whoever gets it needs do nothing. */
    record Heartbeat() implements Message {
    }
}
