import type { Connection } from '../file/connection.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { everyKey } from '../model/range.ts';
import type { RecordStream } from '../records/scan.ts';
import { documentKeys } from './document-keys.ts';
import { countKeys } from './index-count.ts';
import { requireIndex } from './index-scan.ts';

/** The result of comparing an index with its documents. */
export interface IndexCheck {
  readonly keys: number;
  /** Row ids of documents with a key that is missing in the index. */
  readonly missing: readonly number[];
  /** Number of index keys that belong to no document. */
  readonly extra: number;
}

export function checkIndex(
  connection: Connection,
  index: IndexDefinition,
  records: RecordStream,
): IndexCheck {
  if (!index.hasKeys) return { keys: 0, missing: [], extra: 0 };
  const { table } = index;
  const { running } = connection;
  const keys = countKeys(connection, index, [everyKey], Number.POSITIVE_INFINITY);
  const missing: number[] = [];
  let wanted = 0;
  let absent = 0;
  for (let record = records.next(); record !== undefined; record = records.next()) {
    const { rid, doc } = record;
    const made = documentKeys(index, doc, running).keys;
    wanted += made.length;
    const lost = made.filter((key) => {
      running.check();
      requireIndex(index);
      return connection.get(`SELECT 1 FROM ${table} WHERE key = ? AND rid = ?`, key, rid) === undefined;
    }).length;
    absent += lost;
    if (lost > 0) missing.push(rid);
  }
  return { keys, missing, extra: keys - (wanted - absent) };
}
