import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';

/** For tests: encodes a plain object. */
export function raw(plain: Document): RawDocument {
  return RawDocument.from(plain);
}

/** For tests: decodes documents to plain objects. */
export function plain(docs: Iterable<RawDocument>): Document[] {
  return [...docs].map((doc) => RawDocument.of(doc.toBytes()).toObject());
}
