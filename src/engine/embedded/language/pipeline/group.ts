import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { writeDocument } from '../document-writer.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { keyText } from '../keys.ts';
import { documentOf, entriesOf, type RawDocument } from '../raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../value.ts';
import type { Accumulator, AccumulatorKind } from './accumulator.ts';
import { numberAccumulators } from './accumulators.ts';
import type { Stage, StageTable } from './pipeline.ts';

const accumulators = new Map<string, AccumulatorKind>(Object.entries(numberAccumulators));

export const groupStages: StageTable = { $group: compileGroup };

interface GroupField {
  readonly name: string;
  readonly create: () => Accumulator;
}

interface Group {
  readonly id: Value;
  readonly accumulators: readonly Accumulator[];
}

function compileGroup(spec: Value): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15947, "a group's fields must be specified in an object");
  }
  const doc = documentOf(spec);
  const fields = [...doc].filter(({ name }) => name !== '_id').map(compileGroupField);
  const idSpec = doc.get('_id');
  if (idSpec === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  const id = compileId(idSpec);
  return function* (docs) {
    for (const group of collect(docs, id, fields).values()) yield resultOf(group, fields);
  };
}

function compileId(spec: Value): Expression {
  if (spec.type === bsonTypes.object) {
    const doc = documentOf(spec);
    if (!doc.first()?.name.startsWith('$') && [...doc].some(isInclusion)) {
      throw new ServerError(17390, '$group does not support inclusion-style expressions');
    }
  }
  return compileExpression(spec);
}

function isInclusion(field: Value): boolean {
  return isNumber(field) || field.type === bsonTypes.bool;
}

function compileGroupField(element: Element): GroupField {
  const { name } = element;
  if (name.includes('.')) throw new ServerError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) {
    throw new ServerError(40236, `The field name '${name}' cannot be an operator name`);
  }
  const operator = element.type === bsonTypes.object ? documentOf(element).first() : undefined;
  if (!operator?.name.startsWith('$')) {
    throw new ServerError(40234, `The field '${name}' must be an accumulator object`);
  }
  if (documentOf(element).after(operator) !== undefined) {
    throw new ServerError(40238, `The field '${name}' must specify one accumulator`);
  }
  const kind = accumulators.get(operator.name);
  if (kind === undefined) throw new ServerError(15952, `unknown group operator '${operator.name}'`);
  return { name, create: kind(compileArgument(operator)) };
}

/** A list of one argument is that argument. */
function compileArgument(operator: Element): Expression {
  if (operator.type !== bsonTypes.array) return compileExpression(operator);
  const [only, ...others] = entriesOf(operator);
  if (only === undefined || others.length > 0) {
    throw new ServerError(40237, `The ${operator.name} accumulator is a unary operator`);
  }
  return compileExpression(only);
}

function collect(
  docs: Iterable<RawDocument>,
  id: Expression,
  fields: readonly GroupField[],
): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const doc of docs) {
    const scope = { root: doc };
    const value = id.evaluate(scope) ?? nullValue;
    const key = keyText(value);
    let group = groups.get(key);
    if (group === undefined) {
      group = { id: value.detached(), accumulators: fields.map(({ create }) => create()) };
      groups.set(key, group);
    }
    for (const accumulator of group.accumulators) accumulator.add(scope);
  }
  return groups;
}

function resultOf({ id, accumulators: collected }: Group, fields: readonly GroupField[]): RawDocument {
  return writeDocument((writer) => {
    writer.field('_id', id);
    fields.forEach(({ name }, i) => {
      const value = collected[i]?.result();
      if (value !== undefined) writer.field(name, value);
    });
  });
}
