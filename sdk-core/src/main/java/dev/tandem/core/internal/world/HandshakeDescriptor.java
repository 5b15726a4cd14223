package dev.tandem.core.internal.world;

/**
 * The layout of what a rank and rank 0 say before they trust each other, big-endian; every part has a fixed size.
 *
 * <pre>
 *  HELLO    rank to rank 0                     ANSWER   rank 0 to rank
 *   0  magic 8                                  0  magic 8
 *   8  version 4                                8  version 4
 *  12  rank 4                                  12  status 4
 *  16  world size 4                            16  nonce 32
 *  20  flags 4 (bit 0: deadlines stand still)  48
 *  24  tag of the job 16
 *  40  nonce 32                                VERDICT  rank 0 to rank
 *  72                                           0  status 4
 *                                               4  proof 32
 *  PROOF    rank to rank 0                     36
 *   0  proof 32
 *  32
 * </pre>
 *
 * <p>A proof is HMAC-SHA256, by the job's secret, of a word for the side, the hello and the answer's nonce. After the
 * verdict {@link FrameDescriptor frames} follow.
 */
final class HandshakeDescriptor {

    /** {@code TNDMWRLD}. */
    static final long MAGIC = 0x544E_444D_5752_4C44L;
    /** Changes with any layout of a connection. */
    static final int VERSION = 1;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = MAGIC_AT + Long.BYTES;

    static final int NONCE_BYTES = 32;
    static final int TAG_BYTES = 16;
    static final int PROOF_BYTES = 32;

    static final int HELLO_RANK_AT = VERSION_AT + Integer.BYTES;
    static final int HELLO_SIZE_AT = HELLO_RANK_AT + Integer.BYTES;
    static final int HELLO_FLAGS_AT = HELLO_SIZE_AT + Integer.BYTES;
    static final int HELLO_TAG_AT = HELLO_FLAGS_AT + Integer.BYTES;
    static final int HELLO_NONCE_AT = HELLO_TAG_AT + TAG_BYTES;
    static final int HELLO_BYTES = HELLO_NONCE_AT + NONCE_BYTES;

    static final int ANSWER_STATUS_AT = VERSION_AT + Integer.BYTES;
    static final int ANSWER_NONCE_AT = ANSWER_STATUS_AT + Integer.BYTES;
    static final int ANSWER_BYTES = ANSWER_NONCE_AT + NONCE_BYTES;

    static final int VERDICT_STATUS_AT = 0;
    static final int VERDICT_PROOF_AT = VERDICT_STATUS_AT + Integer.BYTES;
    static final int VERDICT_BYTES = VERDICT_PROOF_AT + PROOF_BYTES;

    /** Flag of a rank under a debugger or without a timeout. */
    static final int UNLIMITED = 1;

    /** Status: go on. */
    static final int GO_ON = 0;
    /** Status: this is another job. */
    static final int OTHER_JOB = 1;
    /** Status: the proof does not hold. */
    static final int WRONG_SECRET = 2;
    /** Status: another version is spoken here. */
    static final int OTHER_VERSION = 3;

    private HandshakeDescriptor() {
    }
}
