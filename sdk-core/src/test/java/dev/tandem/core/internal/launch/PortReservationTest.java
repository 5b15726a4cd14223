package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PortReservationTest {

    @Test
    void rankZeroCanListenAtTheReservedPortAndOthersReachIt() throws Exception {
        try (PortReservation reservation = PortReservation.at("127.0.0.1");
                ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress("127.0.0.1", reservation.port()));
            try (Socket client = new Socket("127.0.0.1", reservation.port());
                    Socket accepted = listener.accept()) {
                accepted.getOutputStream().write(42);
                assertThat(client.getInputStream().read()).isEqualTo(42);
            }
        }
    }

    @Test
    void twoReservationsNeverShareAPort() {
        try (PortReservation one = PortReservation.at("127.0.0.1");
                PortReservation two = PortReservation.at("127.0.0.1")) {
            assertThat(one.port()).isNotEqualTo(two.port()).isPositive();
        }
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedInOneSentence() {
        assertThatThrownBy(() -> PortReservation.at("192.0.2.1"))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("--master-addr=192.0.2.1")
                .hasMessageContaining("give an address of this machine");
    }
}
