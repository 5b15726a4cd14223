package dev.tandem.profiler.internal.ui;

import java.awt.datatransfer.DataFlavor;
import java.awt.datatransfer.UnsupportedFlavorException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.swing.JComponent;
import javax.swing.TransferHandler;

/** Opens the first of the files that are dropped on a component. */
final class FileDrop extends TransferHandler {

    private static final long serialVersionUID = 1L;

    private final transient Consumer<Path> open;

    private FileDrop(Consumer<Path> open) {
        this.open = open;
    }

    static void install(JComponent component, Consumer<Path> open) {
        component.setTransferHandler(new FileDrop(open));
    }

    @Override
    public boolean canImport(TransferSupport support) {
        return support.isDataFlavorSupported(DataFlavor.javaFileListFlavor);
    }

    @Override
    public boolean importData(TransferSupport support) {
        try {
            if (canImport(support) && support.getTransferable()
                    .getTransferData(DataFlavor.javaFileListFlavor) instanceof List<?> files && !files.isEmpty()
                    && files.getFirst() instanceof File file) {
                open.accept(file.toPath());
                return true;
            }
            return false;
        } catch (UnsupportedFlavorException | IOException e) {
            return false;
        }
    }
}
