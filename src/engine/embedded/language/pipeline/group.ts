import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { writeDocument } from '../document-writer.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Environment } from '../expression/environment.ts';
import type { Expression } from '../expression/expression.ts';
import { keyText } from '../keys.ts';
import { documentOf, RawDocument } from '../raw.ts';
import { isNumber, nullValue, type Value } from '../value.ts';
import { type AccumulatedField, type Accumulator, compileAccumulatedField } from './accumulators/index.ts';
import type { Stage, StageTable } from './pipeline.ts';

export const groupStages: StageTable = {
  $group: (spec, { environment }) => compileGroup(spec, environment),
};

interface Group {
  readonly id: Value;
  readonly accumulators: readonly Accumulator[];
}

function compileGroup(spec: Value, environment: Environment): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15947, "a group's fields must be specified in an object");
  }
  const doc = documentOf(spec);
  const fields = [...doc]
    .filter(({ name }) => name !== '_id')
    .map((element) => compileAccumulatedField(element, environment));
  const idSpec = doc.get('_id');
  if (idSpec === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  return groupBy(compileId(idSpec, environment), fields);
}

/** One document for each value of `id`, in the order in which they appear. */
export function groupBy(id: Expression, fields: readonly AccumulatedField[]): Stage {
  return function* (docs) {
    for (const group of collect(docs, id, fields).values()) yield resultOf(group, fields);
  };
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

function collect(
  docs: Iterable<RawDocument>,
  id: Expression,
  fields: readonly AccumulatedField[],
): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const doc of docs) {
    const scope = { root: doc };
    const value = id.evaluate(scope) ?? nullValue;
    const key = keyText(value);
    let group = groups.get(key);
    if (group === undefined) {
      const own = value.detached();
      const root = own.type === bsonTypes.object ? documentOf(own) : RawDocument.empty;
      group = { id: own, accumulators: fields.map(({ create }) => create(root)) };
      groups.set(key, group);
    }
    for (const accumulator of group.accumulators) accumulator.add(scope);
  }
  return groups;
}

function resultOf({ id, accumulators }: Group, fields: readonly AccumulatedField[]): RawDocument {
  return writeDocument((writer) => {
    writer.field('_id', id);
    fields.forEach(({ name }, i) => {
      writer.field(name, accumulators[i]?.result() ?? nullValue);
    });
  });
}
