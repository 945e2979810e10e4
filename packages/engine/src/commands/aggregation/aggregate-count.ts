import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int32, int64, isNumber, textOf, type Value } from '../../bson/value.ts';
import { everything } from '../../language/filter/index.ts';
import type { Pipeline } from '../../language/pipeline/index.ts';
import { type PlanOptions, plan } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';

/**
 * Returns the result of a pipeline that only counts the documents of a `$match`, if an index can count them.
 * The method `countDocuments` of drivers sends such pipelines. Returns undefined for all other pipelines.
 */
export function countByIndex(
  specs: readonly RawDocument[],
  { filter = everything }: Pipeline,
  collection: Collection | undefined,
  options: Pick<PlanOptions, 'hint' | 'allowed'>,
): RawDocument[] | undefined {
  const last = specs.at(-1);
  const stages = specs[0]?.has('$match') ? 2 : 1;
  if (collection === undefined || last === undefined || specs.length !== stages) return undefined;
  const shape = countShape(last);
  if (shape === undefined) return undefined;
  const { path, exact = false } = plan(filter, { ...options, collection });
  if (!exact || path.kind !== 'index') return undefined;
  const count = collection.countIn(path.index, path.ranges);
  return count === 0 ? [] : [shape(count)];
}

type Shape = (count: number) => RawDocument;

function countShape(stage: RawDocument): Shape | undefined {
  const group = stage.get('$group');
  if (group?.type === bsonTypes.object) return groupShape(documentOf(group));
  const name = stage.get('$count');
  if (name?.type !== bsonTypes.string) return undefined;
  const field = textOf(name);
  return (count) => writeDocument((writer) => writer.field(field, countValue(count)));
}

/** Parses a `$group` that puts all documents into one group and has a single `{$sum: 1}`. */
function groupShape(group: RawDocument): Shape | undefined {
  const [id, sum, ...others] = [...group];
  if (id?.name !== '_id' || sum?.type !== bsonTypes.object || others.length > 0) return undefined;
  if (!isNumber(id) && id.type !== bsonTypes.null) return undefined;
  const [one, ...more] = [...documentOf(sum)];
  if (one?.name !== '$sum' || more.length > 0 || one.type !== bsonTypes.int || toNumber(one) !== 1) {
    return undefined;
  }
  return (count) =>
    writeDocument((writer) => {
      writer.field('_id', id);
      writer.field(sum.name, countValue(count));
    });
}

const MAX_INT = 2 ** 31 - 1;

function countValue(count: number): Value {
  return count > MAX_INT ? int64(BigInt(count)) : int32(count);
}
