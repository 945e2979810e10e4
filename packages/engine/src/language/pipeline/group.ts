import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { documentOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { type AccumulatedField, compileAccumulatedField } from '../expression/accumulators/index.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { FieldReads } from '../field-reads.ts';
import { memoryOnly } from '../workspace.ts';
import { grouped } from './grouping.ts';
import type { Stage, StageTable } from './stage.ts';
import { groupsInput } from './stage-facts.ts';

export const groupStages: StageTable = {
  $group: {
    compile: (spec, { environment }) => compileGroup(spec, environment),
    ...groupsInput,
  },
};

function compileGroup(spec: Value, around: Environment): Stage {
  const reads = new FieldReads();
  const environment = { ...around, reads };
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15947, "a group's fields must be specified in an object");
  }
  const fields: AccumulatedField[] = [];
  let id: Expression | undefined;
  for (const element of documentOf(spec)) {
    if (element.name !== '_id') {
      fields.push(compileAccumulatedField(element, environment, withGroupErrors));
      continue;
    }
    if (id !== undefined) throw repeatedId();
    id = compileId(element, environment);
  }
  if (id === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  return Object.assign(groupBy(id, fields, environment), { fields: reads.fields });
}

export function repeatedId(): ServerError {
  return new ServerError(15948, "a group's _id may only be specified once");
}

/**
 * The error codes of division by zero in groups. They differ from the usual codes, because another part of
 * the server evaluates groups.
 */
const groupCodes = new Map([
  [2, 4848401],
  [16610, 4848403],
]);

function withGroupErrors(expression: Expression): Expression {
  if (expression.constant !== undefined) return expression;
  return {
    evaluate(scope) {
      try {
        return expression.evaluate(scope);
      } catch (error) {
        if (!(error instanceof ServerError) || !error.message.endsWith(' by zero')) throw error;
        throw new ServerError(groupCodes.get(error.code) ?? error.code, error.message);
      }
    },
  };
}

/** Returns a stage that returns one document per value of `id`. */
export function groupBy(
  id: Expression,
  fields: readonly AccumulatedField[],
  { comparison = byBytes, workspace = memoryOnly, statement }: Environment,
): Stage {
  return (docs) => grouped(docs, { id, fields, comparison, workspace, statement });
}

function compileId(spec: Value, environment: Environment): Expression {
  if (spec.type === bsonTypes.object) {
    const doc = documentOf(spec);
    if (!doc.first()?.name.startsWith('$') && [...doc].some(isInclusion)) {
      throw new ServerError(17390, '$group does not support inclusion-style expressions');
    }
  }
  return compileExpression(spec, environment);
}

function isInclusion(field: Value): boolean {
  return isNumber(field) || field.type === bsonTypes.bool;
}
