import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';

/** For tests: the document of a plain object. */
export function raw(plain: Document): RawDocument {
  return RawDocument.from(plain);
}

/** For tests: documents as plain objects again. */
export function plain(docs: Iterable<RawDocument>): Document[] {
  return [...docs].map((doc) => RawDocument.of(doc.toBytes()).toObject());
}
