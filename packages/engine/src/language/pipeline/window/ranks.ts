import { bsonTypes } from '../../../bson/bson-types.ts';
import { integerValue } from '../../../bson/numbers/convert.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { type Element, isNumber, nullValue } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Sort } from '../../sort.ts';
import { wrong } from './frame.ts';
import type { Partition } from './partition.ts';
import type { CompileFunction, FunctionContext, FunctionTable } from './window-function.ts';

/** Functions of a document's position in its partition. */
export const rankFunctions: FunctionTable = {
  $documentNumber: ranking((_, place) => place + 1, true),
  $rank: ranking((previous, place, same) => (same ? previous : place + 1), true),
  $denseRank: ranking((previous, _, same) => (same ? previous : previous + 1), true),
  $shift: compileShift,
};

/** Functions that do not accept a window. */
export const rankNames: ReadonlySet<string> = new Set(['$documentNumber', '$rank', '$denseRank']);

export function notAlone(name: string): ServerError {
  return new ServerError(5371601, `Rank style window functions take no other arguments: ${name}`);
}

type Rank = (previous: number, place: number, same: boolean) => number;

function ranking(rank: Rank, single: boolean): CompileFunction {
  return (operand, context) => {
    checkRank(operand, context, single);
    return ({ docs, sort }: Partition) => {
      let previous = 0;
      return (place) => {
        const same =
          place > 0 && equalInOrder(sort, docs[place - 1] as RawDocument, docs[place] as RawDocument);
        previous = rank(previous, place, same);
        return integerValue(BigInt(previous));
      };
    };
  };
}

function equalInOrder(sort: Sort | undefined, a: RawDocument, b: RawDocument): boolean {
  return sort !== undefined && sort.compare(a, b) === 0;
}

function checkRank(operand: Element, { windowSpec, sort }: FunctionContext, single: boolean): void {
  const { name } = operand;
  if (windowSpec !== undefined) {
    throw notAlone(name);
  }
  if (sort === undefined || (single && sort.parts.length !== 1)) {
    throw new ServerError(
      5371602,
      `${name} must be specified with a top level sortBy expression with exactly one element`,
    );
  }
  if (operand.type !== bsonTypes.object || !documentOf(operand).isEmpty) {
    throw new ServerError(5371603, `${name} must be specified with '{}' as the value`);
  }
}

/** Compiles `$shift`: the value of an expression for the document at an offset. */
function compileShift(operand: Element, { windowSpec, sort, compile }: FunctionContext) {
  if (sort === undefined) throw new ServerError('FailedToParse', "'$shift' requires a sortBy");
  if (windowSpec !== undefined) throw wrong("'$shift' does not accept a 'window' field");
  if (operand.type !== bsonTypes.object) throw wrong('Argument to $shift must be an object');
  const doc = documentOf(operand);
  for (const { name } of doc) {
    if (!['output', 'by', 'default'].includes(name)) throw wrong(`Unknown argument in $shift: ${name}`);
  }
  const [output, by, otherwise] = [doc.get('output'), doc.get('by'), doc.get('default')];
  if (output === undefined) throw wrong("$shift requires an 'output' expression.");
  const offset = by !== undefined && isNumber(by) ? exactInteger(by) : undefined;
  if (offset === undefined) throw wrong("$shift requires 'by' as an integer value");
  const fallback = otherwise === undefined ? nullValue : compile(otherwise).constant;
  if (fallback === undefined) throw wrong("'$shift:default' expression must yield a constant value.");
  const expression = compile(output);
  return ({ docs }: Partition) =>
    (place: number) => {
      const root = docs[place + Number(offset)];
      return (root && expression.evaluate({ root })) ?? fallback;
    };
}
