package dev.tandem.profiler;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.tandem.profiler.internal.chrome.ChromeTraceReader;
import dev.tandem.profiler.trace.TraceReader;

/** Binds the profiler's pieces for an application that injects them: {@link TraceReader}, one for all. */
public final class ProfilerModule extends AbstractModule {

    /** Makes the module. */
    public ProfilerModule() {
        // has no options yet
    }

    @Provides
    @Singleton
    TraceReader traceReader() {
        return new ChromeTraceReader();
    }
}
