import { encodeKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue } from '../../bson/value.ts';

/** The key under which a document is stored: the bytes of its `_id`, in an order equal to that of BSON. */
export function idKey(doc: RawDocument): Uint8Array {
  return encodeKey(doc.get('_id') ?? nullValue);
}
