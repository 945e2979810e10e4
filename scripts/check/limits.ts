import type { Finding } from './finding.ts';
import type { Source } from './source.ts';
import { isTest } from './tree.ts';

/** The limits in CONTRIBUTING.md, in lines: for the median, percentiles and the maximum. */
const FILES = { median: 100, p90: 300, longest: 400 };
const FUNCTIONS = { p90: 45, longest: 60 };

export function checkLimits(sources: readonly Source[]): Finding[] {
  const own = sources.filter(({ path }) => !isTest(path));
  const files = own.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const functions = own.flatMap(({ path, functions }) => functions.map((span) => ({ path, ...span })));
  return [
    ...tooHigh('file median', percentile(files, 0.5), FILES.median),
    ...tooHigh('file p90', percentile(files, 0.9), FILES.p90),
    ...tooHigh('function p90', percentile(functions, 0.9), FUNCTIONS.p90),
    ...files
      .filter(({ lines }) => lines > FILES.longest)
      .map(({ path, lines }) => ({ file: path, message: `${lines} lines, at most ${FILES.longest}` })),
    ...functions
      .filter(({ lines }) => lines > FUNCTIONS.longest)
      .map(({ path, name, line, lines }) => ({
        file: path,
        line,
        message: `${name} has ${lines} lines, at most ${FUNCTIONS.longest}`,
      })),
  ];
}

function tooHigh(name: string, lines: number, bound: number): Finding[] {
  return lines < bound ? [] : [{ message: `${name} is ${lines} lines and must be under ${bound}` }];
}

/** Returns a percentile of the numbers of lines: the median if `share` is 0.5, and the maximum if it is 1. */
function percentile(spans: readonly { readonly lines: number }[], share: number): number {
  const sorted = spans.map(({ lines }) => lines).toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}
