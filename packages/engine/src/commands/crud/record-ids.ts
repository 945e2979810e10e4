import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64, type Value } from '../../bson/value.ts';
import { addMetadata } from '../../language/metadata.ts';
import type { RecordStream } from '../../storage/records/scan.ts';

/** The field with the record id. */
const FIELD = '$recordId';

/** Yields the documents of records, with the record id as metadata and, if `shown`, as the last field. */
export function* documentsWithIds(records: RecordStream, shown = false): Generator<RawDocument> {
  for (let record = records.next(); record !== undefined; record = records.next()) {
    const recordId = int64(BigInt(record.rid));
    const document = shown ? withId(record.doc, recordId) : record.doc;
    addMetadata(document, { recordId });
    yield document;
  }
}

/** Wraps a projection so that it keeps the record id. */
export function preservingIds(
  project: ((document: RawDocument) => RawDocument) | undefined,
): ((document: RawDocument) => RawDocument) | undefined {
  if (project === undefined) return undefined;
  return (document) => {
    const shaped = project(document);
    const id = document.get(FIELD);
    return id === undefined || shaped.has(FIELD) ? shaped : withId(shaped, id);
  };
}

function withId(document: RawDocument, id: Value): RawDocument {
  return writeDocument((writer) => {
    for (const element of document) writer.element(element);
    writer.field(FIELD, id);
  });
}
