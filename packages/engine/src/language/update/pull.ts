import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { arrayOf } from '../expression/field-path.ts';
import { checkAllowed } from '../filter/allowed.ts';
import { isAboutValues } from '../filter/array.ts';
import { compileEntryTest, compileFilter, topLevelOperator } from '../filter/compile.ts';
import type { Modifier, ModifierTable } from './modifier.ts';

/** Modifiers that remove entries from arrays. */
export const pullModifiers: ModifierTable = {
  $pull: (operand, _, environment: Environment) => remover('$pull', compilePull(operand, environment)),
  $pullAll: (operand, _, { comparison = byBytes }) => {
    if (operand.type !== bsonTypes.array) {
      throw new ServerError(
        'BadValue',
        `$pullAll requires an array argument but was given a ${typeName(operand.type)}`,
      );
    }
    const values = entriesOf(operand);
    return remover('$pullAll', (entry) => values.some((value) => comparison.compare(entry, value) === 0));
  },
};

/** For a nested array, any of its entries may match. */
function compilePull(operand: Value, environment: Environment): (entry: Value) => boolean {
  if (operand.type === bsonTypes.object) checkAllowed(documentOf(operand), true);
  const test = compileEntryTest(operand, environment);
  const aboutValues =
    operand.type === bsonTypes.object && isAboutValues(documentOf(operand), { topLevel: topLevelOperator });
  if (!aboutValues && operand.type !== bsonTypes.regex) return test;
  const wrapped = (value: Value) => writeDocument((writer) => writer.field('0', value));
  const { matches } = compileFilter(wrapped(operand), environment);
  return (entry) => (entry.type === bsonTypes.array ? matches(wrapped(entry)) : test(entry));
}

function remover(operator: string, goes: (entry: Value) => boolean): Modifier {
  return {
    depth: 0,
    creates: () => false,
    apply(current) {
      if (current === undefined) return 'keep';
      if (current.type !== bsonTypes.array) {
        throw new ServerError('BadValue', `Cannot apply ${operator} to a non-array value`);
      }
      const entries = entriesOf(current);
      const kept = entries.filter((entry) => !goes(entry));
      return kept.length === entries.length ? 'keep' : arrayOf(kept);
    },
  };
}
