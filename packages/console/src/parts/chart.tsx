import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

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
/** Colors that are distinct in the light and the dark scheme, and for people who cannot tell red from green. */
const colors = ['#0066cc', '#b98412', '#5e40be', '#147878', '#a60000'];

const colorOf = (index: number): string => colors[index % colors.length] ?? 'gray';

const number = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 3 });

/** A line chart over time. Dragging zooms in, and a double click zooms out. The caption contains the last values. */
export function Chart({ title, unit, times, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const names = series.map(({ name }) => name).join('|');
  // Create the chart again only when its lines change. New values then do not reset the zoom.
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const made = new uPlot(optionsFor(parent, names.split('|')), [[]], parent);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that was created again needs the values
  useEffect(() => {
    chart.current?.setData([[...times], ...series.map(({ values }) => [...values])]);
  }, [times, series, names]);
  return (
    <figure className="gap" aria-label={title}>
      <figcaption>
        <strong>{title}</strong>{' '}
        {series.map((one, index) => (
          <small key={one.name} className="beside">
            <span className="mark" style={{ backgroundColor: colorOf(index) }} /> {one.name} {lastOf(one)}{' '}
            {unit}
          </small>
        ))}
      </figcaption>
      <div ref={place} aria-hidden />
    </figure>
  );
}

function lastOf({ values }: Series): string {
  const last = values.findLast((value) => value !== null);
  return last === undefined || last === null ? '–' : number.format(last);
}

const HOUR_S = 3600;
const MINUTE_S = 60;

/** Returns the range of the time axis. If it is unknown or shorter than a minute, returns an hour. */
function rangeOf(min: number | null, max: number | null): [number, number] {
  const end = max ?? Date.now() / 1000;
  return [min === null || end - min < MINUTE_S ? end - HOUR_S : min, end];
}

function optionsFor(parent: HTMLElement, names: readonly string[]): uPlot.Options {
  const { color } = getComputedStyle(parent);
  const axis = {
    stroke: color,
    grid: { stroke: 'rgb(128 128 128 / 25%)', width: 1 },
    ticks: { show: false },
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { sync: { key: 'measurements' } },
    scales: { x: { range: (_chart, min, max) => rangeOf(min, max) } },
    axes: [axis, { ...axis, size: 60, values: (_chart, ticks) => ticks.map((tick) => number.format(tick)) }],
    series: [{}, ...names.map((label, index) => ({ label, stroke: colorOf(index), width: 2 }))],
  };
}
