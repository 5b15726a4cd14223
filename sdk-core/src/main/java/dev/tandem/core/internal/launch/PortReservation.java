package dev.tandem.core.internal.launch;

import dev.tandem.core.SetupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;

/**
 * A free port of this machine for rank 0 to listen at, which nobody else gets meanwhile.
 *
 * <p>On Linux the port stays reserved until this is closed: a socket that is bound, reuses addresses and does not listen
 * keeps the system from giving the port to anyone who asks for a free one (and a connection attempt from being connected
 * to itself), while a listener that names the port and reuses addresses, as rank 0's does, can have it. Elsewhere a bound
 * socket keeps the listener out as well, so there the port is let go at once and is free by probability.
 */
final class PortReservation implements AutoCloseable {

    private final Socket reservation;
    private final int port;

    private PortReservation(Socket reservation, int port) {
        this.reservation = reservation;
        this.port = port;
    }

    /**
     * Reserves a port.
     *
     * @param address an address of this machine
     * @throws SetupException if the machine has no such address or no free port
     */
    static PortReservation at(String address) {
        try {
            InetAddress host = InetAddress.getByName(address);
            if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux")) {
                try (ServerSocket probe = new ServerSocket()) {
                    probe.bind(new InetSocketAddress(host, 0));
                    return new PortReservation(null, probe.getLocalPort());
                }
            }
            Socket reservation = new Socket();
            try {
                reservation.setReuseAddress(true);
                reservation.bind(new InetSocketAddress(host, 0));
            } catch (IOException e) {
                reservation.close();
                throw e;
            }
            return new PortReservation(reservation, reservation.getLocalPort());
        } catch (IOException e) {
            throw new SetupException("no port for rank 0 to listen at: --master-addr=" + address + " (" + e.getMessage()
                    + "); give an address of this machine, or a free port by --master-port", e);
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        if (reservation != null) {
            try {
                reservation.close();
            } catch (IOException e) {
                // Nothing was ever sent over it; the process's end frees it at the latest.
                return;
            }
        }
    }
}
