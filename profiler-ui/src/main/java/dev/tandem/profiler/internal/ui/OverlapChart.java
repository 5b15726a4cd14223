package dev.tandem.profiler.internal.ui;

import dev.tandem.profiler.analysis.RankOverlap;
import dev.tandem.profiler.analysis.Verdict;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.DefaultCategoryDataset;

/** Draws the ranks of a trace as stacked bars. Needs no window: a chart can be painted anywhere. */
final class OverlapChart {

    /** The colours of a chart that are not those of its bars, and its font. */
    record Style(boolean dark, Color background, Color text, Color grid, Font font) {
    }

    private OverlapChart() {
    }

    /** The parts of each rank's time in milliseconds; rows are {@link Part} labels, columns ranks. */
    static DefaultCategoryDataset data(List<RankOverlap> ranks) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (Part part : shown(ranks)) {
            for (RankOverlap rank : ranks) {
                data.addValue(part.lengthNs(rank) / 1e6, part.label(), rank.rank());
            }
        }
        return data;
    }

    private static List<Part> shown(List<RankOverlap> ranks) {
        List<Part> parts = new ArrayList<>();
        for (Part part : Part.values()) {
            if (!part.isOptional() || ranks.stream().anyMatch(rank -> part.lengthNs(rank) > 0)) {
                parts.add(part);
            }
        }
        return parts;
    }

    static JFreeChart of(List<RankOverlap> ranks, Style style) {
        JFreeChart chart = ChartFactory.createStackedBarChart("Where each rank's time went", null, "Time (ms)",
                data(ranks), PlotOrientation.HORIZONTAL, true, true, false);
        chart.setBackgroundPaint(style.background());
        chart.setPadding(new RectangleInsets(8, 8, 8, 16));
        TextTitle title = chart.getTitle();
        title.setFont(style.font().deriveFont(Font.BOLD, style.font().getSize2D() + 2));
        title.setPaint(style.text());
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setPadding(4, 4, 8, 4);
        chart.getLegend().setPosition(RectangleEdge.TOP);
        chart.getLegend().setHorizontalAlignment(HorizontalAlignment.LEFT);
        chart.getLegend().setItemFont(style.font());
        chart.getLegend().setItemPaint(style.text());
        chart.getLegend().setBackgroundPaint(style.background());
        chart.getLegend().setFrame(BlockBorder.NONE);
        plot(chart.getCategoryPlot(), ranks, style);
        return chart;
    }

    private static void plot(CategoryPlot plot, List<RankOverlap> ranks, Style style) {
        plot.setBackgroundPaint(style.background());
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(style.grid());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        CategoryAxis names = plot.getDomainAxis();
        names.setTickLabelFont(style.font());
        names.setTickLabelPaint(style.text());
        names.setAxisLineVisible(false);
        names.setTickMarksVisible(false);
        names.setMaximumCategoryLabelWidthRatio(0.25f);
        NumberAxis time = (NumberAxis) plot.getRangeAxis();
        time.setTickLabelFont(style.font());
        time.setTickLabelPaint(style.text());
        time.setLabelFont(style.font());
        time.setLabelPaint(style.text());
        time.setAxisLinePaint(style.grid());
        time.setTickMarkPaint(style.grid());
        time.setUpperMargin(0.02);
        StackedBarRenderer bars = (StackedBarRenderer) plot.getRenderer();
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        bars.setDrawBarOutline(false);
        bars.setMaximumBarWidth(0.12);
        List<Part> parts = shown(ranks);
        for (int i = 0; i < parts.size(); i++) {
            bars.setSeriesPaint(i, parts.get(i).color(style.dark()));
        }
        bars.setDefaultToolTipGenerator((data, row, column) -> {
            RankOverlap rank = ranks.get(column);
            long ns = parts.get(row).lengthNs(rank);
            return rank.rank() + ", " + parts.get(row).label() + ": " + Verdict.milliseconds(ns) + ", "
                    + Verdict.percent(rank.windowNs() == 0 ? 0 : (double) ns / rank.windowNs()) + " of the window";
        });
    }
}
