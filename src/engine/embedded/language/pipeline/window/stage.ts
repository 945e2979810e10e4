import { ServerError } from '../../../server-error.ts';
import { bsonTypes, typeName } from '../../bson-types.ts';
import { compareValues } from '../../compare.ts';
import { compileExpression } from '../../expression/compile.ts';
import type { Expression } from '../../expression/expression.ts';
import { checkFieldPath } from '../../field-path.ts';
import { keyText } from '../../keys.ts';
import { documentOf, type RawDocument } from '../../raw.ts';
import { compileSort, type Sort } from '../../sort.ts';
import { type Element, nullValue, string, type Value } from '../../value.ts';
import { withField } from '../document-fields.ts';
import { readOptions } from '../options.ts';
import type { Stage, StageContext, StageTable } from '../pipeline.ts';
import { wrong } from './frame.ts';
import { compileFunction } from './functions.ts';
import type { WindowFunction } from './partition.ts';

export const windowStages: StageTable = { $setWindowFields: compileWindowFields };

interface Output {
  readonly path: readonly string[];
  readonly compute: WindowFunction;
}

/** Fields computed from the documents around each document, in order within its partition. */
function compileWindowFields(spec: Value, { environment }: StageContext): Stage {
  if (spec.type !== bsonTypes.object) {
    throw wrong(`the $setWindowFields stage specification must be an object, found ${typeName(spec.type)}`);
  }
  const options = readOptions('$setWindowFields', spec, {
    partitionBy: 'any',
    sortBy: 'object',
    output: 'object!',
  });
  const by = options.partitionBy && compileExpression(options.partitionBy, environment);
  const sort = sortOf(options.sortBy);
  const outputs = [...documentOf(options.output as Element)].map((element): Output => {
    checkFieldPath(element.name);
    return { path: element.name.split('.'), compute: compileFunction(element, environment, sort) };
  });
  const [only, ...others] = sort?.parts ?? [];
  const sortValue =
    only === undefined || others.length > 0
      ? undefined
      : compileExpression(string(`$${only.path.text}`), environment);
  return function* (docs) {
    for (const partition of partitionsOf(docs, by)) {
      const ordered = sort === undefined ? partition : sort.apply(partition);
      const columns = outputs.map(({ compute }) => compute({ docs: ordered, sort, sortValue }));
      for (const [place, doc] of ordered.entries()) {
        yield outputs.reduce((made, { path }, i) => withField(made, path, columns[i]?.[place]), doc);
      }
    }
  };
}

function sortOf(spec: Element | undefined): Sort | undefined {
  return spec && compileSort(documentOf(spec));
}

/** In the order of the values that they share. */
function partitionsOf(docs: Iterable<RawDocument>, by: Expression | undefined): RawDocument[][] {
  if (by === undefined) {
    const all = [...docs].map((doc) => doc.compact());
    return all.length === 0 ? [] : [all];
  }
  const partitions = new Map<string, { readonly value: Value; readonly docs: RawDocument[] }>();
  for (const given of docs) {
    const doc = given.compact();
    const value = by.evaluate({ root: doc }) ?? nullValue;
    if (value.type === bsonTypes.array) {
      throw new ServerError(
        'TypeMismatch',
        'An expression used to partition cannot evaluate to value of type array',
      );
    }
    const key = keyText(value);
    const found = partitions.get(key);
    if (found === undefined) partitions.set(key, { value, docs: [doc] });
    else found.docs.push(doc);
  }
  return [...partitions.values()]
    .sort((a, b) => compareValues(a.value, b.value))
    .map((partition) => partition.docs);
}
