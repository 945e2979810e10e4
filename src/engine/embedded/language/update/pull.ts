import { ServerError } from '../../server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { byBytes } from '../collation/comparison.ts';
import { writeDocument } from '../document-writer.ts';
import type { Environment } from '../expression/environment.ts';
import { arrayOf } from '../expression/field-path.ts';
import { isAboutValues } from '../filter/array.ts';
import { compileEntryTest, compileFilter } from '../filter/compile.ts';
import { documentOf, entriesOf } from '../raw.ts';
import type { Value } from '../value.ts';
import type { Modifier, ModifierTable } from './modifier.ts';

/** Modifiers that take entries out of arrays. */
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

/** Of an array in the array each entry may be what goes. */
function compilePull(operand: Value, environment: Environment): (entry: Value) => boolean {
  const test = compileEntryTest(operand, environment);
  const aboutValues = operand.type === bsonTypes.object && isAboutValues(documentOf(operand));
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
