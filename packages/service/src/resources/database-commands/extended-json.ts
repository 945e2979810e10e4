import { type Document, EJSON } from 'bson';

/** Throws if a value does not match its Extended JSON key, for example if the value of `$date` is not a date. */
export function fromExtendedJson(document: Document): Document {
  return EJSON.deserialize(document, { relaxed: false });
}
