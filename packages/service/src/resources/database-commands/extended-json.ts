import { type Document, EJSON } from 'bson';

/** Throws for a value that does not match the type of its key. */
export function fromExtendedJson(document: Document): Document {
  return EJSON.deserialize(document, { relaxed: false });
}
