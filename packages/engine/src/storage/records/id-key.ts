import { encodeKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue } from '../../bson/value.ts';

/** Returns the key of a document: its `_id`, encoded so that bytes sort in BSON order. */
export function idKey(doc: RawDocument): Uint8Array {
  return encodeKey(doc.get('_id') ?? nullValue);
}
