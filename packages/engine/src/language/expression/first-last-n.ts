import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checkCount } from './accumulators/first-last-n.ts';
import { arrayFrom, checking, listOf } from './entries.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { folded, isPresent, type NamedArguments, named, typeOf } from './operator.ts';

/** The first, last, least or greatest `n` entries of an array. */
export const firstLastNOperators: ExpressionTable = {
  $firstN: choosing((entries, n) => entries.slice(0, n)),
  $lastN: choosing((entries, n) => entries.slice(-n)),
  $minN: choosing((entries, n, { compare }) => entries.filter(isPresent).sort(compare).slice(0, n)),
  $maxN: choosing((entries, n, { compare }) =>
    entries
      .filter(isPresent)
      .sort((a, b) => compare(b, a))
      .slice(0, n),
  ),
};

function choosing(
  choose: (entries: Value[], n: number, comparison: Comparison) => Value[],
): CompileExpression {
  const spec = {
    notDocument: 5787901,
    unknown: 'FailedToParse',
    fields: { n: 5787906, input: 5787907 },
  } as const satisfies NamedArguments;
  return (operand, compiler) => {
    const { name } = operand;
    const { n, input } = named(operand, compiler, spec);
    return folded(compiler, [n, input], (scope) => {
      const count = checkCount(n?.evaluate(scope));
      const value = input?.evaluate(scope);
      if (value?.type !== bsonTypes.array) {
        throw new ServerError(5788200, `Input must be an array, found: ${typeOf(value)}`);
      }
      const { statement, comparison } = compiler;
      const compare = checking(statement, comparison.compare);
      const chosen = choose(listOf(value, statement, name), count, { ...comparison, compare });
      return arrayFrom(chosen, statement, name);
    });
  };
}
