import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { listOf } from '../expression/entries.ts';
import { checkAllowed } from '../filter/allowed.ts';
import { isAboutValues } from '../filter/array.ts';
import { compileEntryTest, compileFilter, topLevelOperator } from '../filter/compile.ts';
import { listed } from '../parts.ts';
import { arrayWith, memberOf } from './entries.ts';
import type { Modifier, ModifierTable } from './modifier.ts';

/** Modifiers that remove entries from arrays. */
export const pullModifiers: ModifierTable = {
  $pull: (operand, _, environment: Environment) =>
    remover('$pull', compilePull(operand, environment), environment.statement),
  $pullAll: (operand, _, { comparison = byBytes, statement }) => {
    if (operand.type !== bsonTypes.array) {
      throw new ServerError(
        'BadValue',
        `$pullAll requires an array argument but was given a ${typeName(operand.type)}`,
      );
    }
    const values = listed(documentOf(operand), 'an update');
    return remover('$pullAll', memberOf(values, comparison, statement), statement);
  },
};

/** Compiles the condition of `$pull`. An entry that is itself an array matches if one of its entries does. */
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

function remover(operator: string, goes: (entry: Value) => boolean, statement: Statement): Modifier {
  return {
    depth: 0,
    creates: () => false,
    apply(current) {
      if (current === undefined) return 'keep';
      if (current.type !== bsonTypes.array) {
        throw new ServerError('BadValue', `Cannot apply ${operator} to a non-array value`);
      }
      const entries = listOf(current, statement, 'an update');
      const kept = entries.filter((entry) => {
        statement.check();
        return !goes(entry);
      });
      return kept.length === entries.length ? 'keep' : arrayWith(kept, statement);
    },
  };
}
