package dev.tandem.profiler.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import dev.tandem.profiler.Cases;
import dev.tandem.profiler.ProfilerModule;
import dev.tandem.profiler.trace.ImportProgress;
import dev.tandem.profiler.trace.TraceReader;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

    @Test
    void textAndJsonSayTheSame() throws IOException {
        TraceReader reader = Guice.createInjector(new ProfilerModule()).getInstance(TraceReader.class);
        Report report = Report.of(reader.read(Cases.small("sampled_rank-0.json.gz"), ImportProgress.NONE));
        assertThat(report.text()).contains("14.9 % of communication is hidden; 336.983 ms of it are exposed.",
                "396.199", "59.216", "rank 0");
        assertThat(Report.json(List.of(report))).contains("\"communicationNs\" : 396199000",
                "\"overlappedNs\" : 59216000", "\"hiddenShare\" : 0.149", "\"rank\" : \"rank 0\"");
    }
}
