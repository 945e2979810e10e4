import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { isZoomed, rangeOf } from './chart-range.ts';
import { useUtc } from './time-text.ts';

interface Series {
  readonly name: string;
  /** A value for each time; null for a time without a value. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly unit: string;
  /** The times of the values, in seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

const HEIGHT = 180;
/** Pixels at the right of the chart for the second half of the last label of the time axis. */
const LABEL_HALF = 28;
/** Smallest distance between two labels of the time axis, in pixels. */
const LABEL_SPACE = 70;
/** The number of colors of lines. The style sheet defines them for the light and the dark scheme. */
const COLORS = 5;

const colorName = (index: number): string => `--line-${index % COLORS}`;

const number = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 3 });

/** A line chart over time. Dragging zooms in, and a double click zooms out. The caption contains the last values. */
export function Chart({ title, unit, times, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const names = series.map(({ name }) => name).join('|');
  const utc = useUtc();
  // Create the chart again only when its lines or the time zone change. New values then do not reset the zoom.
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const made = new uPlot(optionsFor(parent, names.split('|'), utc), [[]], parent);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [names, utc]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that was created again needs the values
  useEffect(() => {
    if (chart.current) update(chart.current, [[...times], ...series.map(({ values }) => [...values])]);
  }, [times, series, names, utc]);
  return (
    <figure className="gap" aria-label={title}>
      <figcaption>
        <strong>{title}</strong>{' '}
        {series.map((one, index) => (
          <small key={one.name} className="beside">
            <span className="mark" style={{ backgroundColor: `var(${colorName(index)})` }} /> {one.name}{' '}
            {lastOf(one)} {unit}
          </small>
        ))}
      </figcaption>
      <div ref={place} aria-hidden />
    </figure>
  );
}

/** Shows new values. If the person has zoomed in, the chart shows the same period as before. */
function update(chart: uPlot, data: uPlot.AlignedData): void {
  const keepsPeriod = isZoomed(chart.data[0], chart.scales.x);
  chart.setData(data, !keepsPeriod);
  if (keepsPeriod) chart.redraw();
}

function lastOf({ values }: Series): string {
  const last = values.findLast((value) => value !== null);
  return last === undefined || last === null ? '–' : number.format(last);
}

function optionsFor(parent: HTMLElement, names: readonly string[], utc: boolean): uPlot.Options {
  // The chart calls these functions whenever it is drawn, because the person can change the color scheme.
  const axis = {
    stroke: () => getComputedStyle(parent).color,
    grid: { stroke: 'rgb(128 128 128 / 25%)', width: 1 },
    ticks: { show: false },
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    ...(utc && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    padding: [null, LABEL_HALF, null, null],
    cursor: { sync: { key: 'measurements' } },
    scales: { x: { range: (_chart, min, max) => rangeOf(min, max ?? Date.now() / 1000) } },
    axes: [
      { ...axis, space: LABEL_SPACE },
      { ...axis, size: 60, values: (_chart, ticks) => ticks.map((tick) => number.format(tick)) },
    ],
    series: [
      {},
      ...names.map((label, index) => ({
        label,
        stroke: () => getComputedStyle(parent).getPropertyValue(colorName(index)),
        width: 2,
      })),
    ],
  };
}
