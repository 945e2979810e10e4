import { accumulators } from '../../../packages/engine/src/language/expression/accumulators/index.ts';
import { functions } from '../../../packages/engine/src/language/pipeline/window/functions.ts';
import { holes, nested, type Subject } from '../subject.ts';

/**
 * Operands of accumulators and of window functions. Operators that are not listed have one argument, which is their
 * operand.
 */

const n = nested({ n: 1, input: '$a' });
const sorted = nested({ sortBy: nested({ a: 1 }), output: '$a' });
const sortedN = nested({ n: 1, sortBy: nested({ a: 1 }), output: '$a' });
const series = nested({ input: '$a', unit: 'day' });

const templates: Readonly<Record<string, readonly unknown[]>> = {
  $firstN: [n],
  $lastN: [n],
  $minN: [n],
  $maxN: [n],
  $top: [sorted],
  $bottom: [sorted],
  $topN: [sortedN],
  $bottomN: [sortedN],
  $median: [nested({ input: '$a', method: 'approximate' })],
  $percentile: [nested({ input: '$a', p: nested([0.5]), method: 'approximate' })],
  $accumulator: [
    nested({
      init: 'function(){}',
      initArgs: [],
      accumulate: 'function(){}',
      accumulateArgs: ['$a'],
      merge: 'function(){}',
      finalize: 'function(){}',
      lang: 'js',
    }),
  ],
  $count: [{}],
  $derivative: [series],
  $integral: [series],
  $expMovingAvg: [nested({ input: '$a', N: 1 }), nested({ input: '$a', alpha: 0.5 })],
  $shift: [nested({ output: '$a', by: 1, default: 0 })],
  $covariancePop: [nested(['$a', '$a'])],
  $covarianceSamp: [nested(['$a', '$a'])],
  $rank: [{}],
  $denseRank: [{}],
  $documentNumber: [{}],
};

const windowed = new Set(['$derivative', '$integral']);

export function accumulatorSubjects(): Subject[] {
  const grouped = [...accumulators.keys()].toSorted().flatMap((name) =>
    operands(name).map(({ field, shape }) => ({
      page: 'accumulators',
      of: name,
      field,
      command: {
        aggregate: 'probe',
        pipeline: [{ $group: { _id: null, r: { [name]: shape } } }],
        cursor: {},
      },
    })),
  );
  const moving = [...functions.keys()].toSorted().flatMap((name) =>
    operands(name).map(({ field, shape }) => ({
      page: 'window functions',
      of: name,
      field,
      command: {
        aggregate: 'probe',
        pipeline: [
          {
            $setWindowFields: {
              sortBy: { d: 1 },
              output: {
                r: { [name]: shape, ...(windowed.has(name) ? { window: { documents: [-1, 0] } } : {}) },
              },
            },
          },
        ],
        cursor: {},
      },
    })),
  );
  return [...grouped, ...moving];
}

const operands = (name: string) => (templates[name] ?? ['$a']).flatMap((template) => holes(template));
