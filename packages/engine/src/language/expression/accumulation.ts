import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { type Element, nullValue } from '../../bson/value.ts';
import { noEnvironment } from '../environment.ts';
import type { AccumulatorKind } from './accumulators/accumulator.ts';
import { averageOfDoubles, numericAccumulators } from './accumulators/numeric.ts';
import { pickingAccumulators } from './accumulators/picking.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { type Argument, any, over } from './operator.ts';

/**
 * Accumulators that are used as expressions. They combine their arguments, or the entries of a single array
 * argument.
 */
export const accumulationOperators: ExpressionTable = {
  $sum: overEntries('$sum', numericAccumulators.$sum),
  $avg: overEntries('$avg', averageOfDoubles),
  $stdDevPop: overEntries('$stdDevPop', numericAccumulators.$stdDevPop),
  $stdDevSamp: overEntries('$stdDevSamp', numericAccumulators.$stdDevSamp),
  $min: overEntries('$min', pickingAccumulators.$min),
  $max: overEntries('$max', pickingAccumulators.$max),
};

function overEntries(name: string, kind: AccumulatorKind | undefined): CompileExpression {
  if (kind === undefined) throw new Error(`no accumulator ${name}`);
  const operand = writeDocument((writer) => writer.field(name, nullValue)).first() as Element;
  return (written, compiler) => {
    const environment = { ...noEnvironment, comparison: compiler.comparison };
    return over(any, (args, _, statement) => {
      const [only] = args;
      const entries = args.length === 1 && only?.type === bsonTypes.array ? documentOf(only) : args;
      let current: Argument;
      const argument = { evaluate: () => current };
      const accumulator = kind(operand, { environment, compile: () => argument })(RawDocument.empty);
      for (const entry of entries) {
        statement.check();
        current = entry;
        accumulator.add({ root: RawDocument.empty });
      }
      return accumulator.result();
    })(written, compiler);
  };
}
