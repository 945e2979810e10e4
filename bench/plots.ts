import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { type Figure, meets, ratioOf } from './figure.ts';

/** SVG plots of the figures, by file name: `targets.svg`, `growth.svg`. */
export async function plots(figures: readonly Figure[]): Promise<ReadonlyMap<string, string>> {
  const drawn = new Map<string, string>();
  const bounded = figures.flatMap(useOfBound);
  if (bounded.length > 0) drawn.set('targets.svg', await svgOf(targets(bounded)));
  const grown = figures.flatMap(({ name, unit, curve = [] }) =>
    curve.map(([size, value]) => ({ name: `${name} (${unit})`, size, value })),
  );
  if (grown.length > 0) drawn.set('growth.svg', await svgOf(growth(grown)));
  return drawn;
}

interface Use {
  readonly name: string;
  /**
   * How close the figure is to its target: 1 means that it just meets the target, 0.5 that it is twice as good, and
   * more than 1 that it misses the target.
   */
  readonly used: number;
  readonly met: 'met' | 'missed';
}

/** Compares a figure with its target. Returns an empty list if the figure has no target, or if the target is 0. */
function useOfBound(figure: Figure): Use[] {
  const { target, name, value } = figure;
  if (target === undefined) return [];
  const measured = target.of === 'ratio' ? (ratioOf(figure) ?? Number.NaN) : value;
  const used = target.better === 'higher' ? target.bound / measured : measured / target.bound;
  return Number.isFinite(used) && used > 0 ? [{ name, used, met: meets(figure) ? 'met' : 'missed' }] : [];
}

const WIDTH = 420;
const colours = { domain: ['met', 'missed'], range: ['#3b7ea1', '#c8452d'] };

function targets(values: readonly Use[]): TopLevelSpec {
  return {
    ...whole,
    data: { values: [...values] },
    width: WIDTH,
    height: { step: 14 },
    layer: [
      {
        mark: { type: 'bar', height: 8, clip: true },
        encoding: {
          y: { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 700 } },
          x: {
            field: 'used',
            type: 'quantitative',
            scale: { type: 'log', domainMin: 0.01 },
            title: 'relative to the target (1 just meets it, less is better)',
          },
          x2: { datum: 0.01 },
          color: { field: 'met', type: 'nominal', scale: colours, title: null },
        },
      },
      { mark: { type: 'rule', strokeDash: [3, 3] }, encoding: { x: { datum: 1 } } },
    ],
  };
}

function growth(values: readonly { name: string; size: number; value: number }[]): TopLevelSpec {
  return {
    ...whole,
    data: { values: [...values] },
    width: WIDTH,
    height: 240,
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'size', type: 'quantitative', scale: { type: 'log' }, title: 'number of items' },
      y: { field: 'value', type: 'quantitative', title: 'value' },
      color: { field: 'name', type: 'nominal', title: null, legend: { labelLimit: 460 } },
    },
  };
}

const whole = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  background: 'white',
} as const;

function svgOf(spec: TopLevelSpec): Promise<string> {
  return new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}
