import { equalValues } from '../../bson/compare.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type NewId, prepareInsert, withIdFirst } from '../insert.ts';
import { otherId } from './id.ts';
import type { Update } from './update.ts';
import { idOf } from './upsert.ts';

/** Replaces the whole document except `_id`. */
export function compileReplacement(replacement: RawDocument): Update {
  for (const { name } of replacement) {
    if (name.startsWith('$')) throw dollarField(name);
  }
  return {
    kind: 'replacement',
    apply(doc) {
      const next = withIdOf(replacement, doc.get('_id'));
      // A replacement without `_id` counts as a modification even if the document does not change, as on the server.
      // `mongoimport` relies on this count.
      const modified = !replacement.equals(doc);
      return { bytes: (modified ? next : doc).toBytes(), modified };
    },
    insertFrom: (filter, newId) => insert(withIdOf(replacement, idOf(filter)), newId),
  };
}

function insert(doc: RawDocument, newId: NewId): Uint8Array {
  return prepareInsert(doc, newId).toBytes();
}

/**
 * Returns the replacement with the old `_id`. If the replacement contains an `_id`, it must equal the old
 * `_id`.
 */
function withIdOf(replacement: RawDocument, id: Value | undefined): RawDocument {
  const own = replacement.get('_id');
  if (own !== undefined && id !== undefined && !equalValues(own, id)) {
    throw otherId(own);
  }
  const kept = own ?? id;
  return kept === undefined ? replacement : withIdFirst(replacement, kept);
}

function dollarField(name: string): ServerError {
  return new ServerError(
    'DollarPrefixedFieldName',
    `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's ` +
      'replacement document. Consider using an aggregation pipeline with $replaceWith.',
  );
}
