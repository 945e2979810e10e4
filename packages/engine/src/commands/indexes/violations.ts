import { keep } from '../../bson/turns.ts';
import type { Value } from '../../bson/value.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { documentKeys } from '../../storage/indexes/document-keys.ts';
import { textOf } from '../../storage/indexes/tuples.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';

/** Estimated memory of an id, in addition to its bytes. */
const ID_OVERHEAD = 100;

/** Returns the ids of documents whose key is not unique, in one group per key. */
export function violationsOf(collection: Collection, index: IndexDefinition): Array<{ ids: Value[] }> {
  const duplicates = new Set(collection.duplicatesIn(index).map(textOf));
  if (duplicates.size === 0) return [];
  const ids = new Map<string, Value[]>();
  const scan = collection.scan({ kind: 'natural', reverse: false });
  for (let record = scan.next(); record !== undefined; record = scan.next()) {
    const id = record.doc.get('_id')?.detached();
    for (const key of documentKeys(index, record.doc).keys) {
      const text = textOf(key);
      if (id === undefined || !duplicates.has(text)) continue;
      keep(id.end - id.start + ID_OVERHEAD, 'The documents whose keys are not unique');
      const others = ids.get(text);
      if (others === undefined) ids.set(text, [id]);
      else others.push(id);
    }
  }
  return [...ids.values()].map((found) => ({ ids: found }));
}
