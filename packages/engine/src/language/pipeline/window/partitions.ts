import { bsonTypes } from '../../../bson/bson-types.ts';
import type { Comparison } from '../../../bson/collation/comparison.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Statement } from '../../../statement/statement.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Sort } from '../../sort.ts';
import { type Order, sortedWithin } from '../../spill/sorted.ts';
import { keptBytes } from '../../spill/stored-metadata.ts';
import { outOfMemory, StageMemory, type Workspace } from '../../workspace.ts';

export interface Partitioning {
  readonly by: Expression | undefined;
  readonly sort: Sort | undefined;
  readonly comparison: Comparison;
  readonly workspace: Workspace;
  readonly statement: Statement;
}

/**
 * Yields the sorted documents of each partition, in order of the partition key. Only one partition is in memory at a
 * time.
 */
export function* partitionsOf(
  docs: Iterable<RawDocument>,
  partitioning: Partitioning,
): Generator<readonly RawDocument[]> {
  const { by, comparison, workspace, statement } = partitioning;
  const most = workspace.bytes('window');
  let partition: RawDocument[] = [];
  let shared: Value | undefined;
  const memory = new StageMemory(workspace);
  try {
    for (const doc of sortedWithin(docs, orderOf(partitioning), partitioning)) {
      statement.check();
      const value = by && partitionOf(by, doc);
      if (value !== undefined && shared !== undefined && comparison.compare(value, shared) !== 0) {
        yield partition;
        partition = [];
        memory.bytes = 0;
      }
      shared = value;
      partition.push(doc);
      memory.bytes += keptBytes(doc);
      if (memory.bytes > most) {
        throw outOfMemory(
          `Exceeded memory limit for $setWindowFields: ${memory.bytes} bytes in one partition`,
          5643011,
        );
      }
    }
    if (partition.length > 0) yield partition;
  } finally {
    memory.bytes = 0;
  }
}

/** Sorts by partition, then by the requested order. */
function orderOf({ by, sort, comparison }: Partitioning): Order {
  return {
    keyOf: (doc) => [by === undefined ? nullValue : partitionOf(by, doc), ...(sort?.keyOf(doc) ?? [])],
    compareKeys(a, b) {
      const order = comparison.compare(a[0] ?? nullValue, b[0] ?? nullValue);
      if (order !== 0 || sort === undefined) return order;
      return sort.compareKeys(a.slice(1), b.slice(1));
    },
  };
}

function partitionOf(by: Expression, root: RawDocument): Value {
  const value = by.evaluate({ root }) ?? nullValue;
  if (value.type !== bsonTypes.array) return value;
  throw new ServerError(
    'TypeMismatch',
    'An expression used to partition cannot evaluate to value of type array',
  );
}
