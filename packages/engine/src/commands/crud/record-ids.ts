import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64, type Value } from '../../bson/value.ts';
import type { RecordStream } from '../../storage/scan.ts';

/** The field in which a document shows which record it is. */
const FIELD = '$recordId';

/** The documents of records, each with the id of its record behind its own fields. */
export function* documentsWithIds(records: RecordStream): Generator<RawDocument> {
  for (let record = records.next(); record !== undefined; record = records.next()) {
    yield withId(record.doc, int64(BigInt(record.rid)));
  }
}

/** A projection that leaves that id alone. */
export function keepingIds(
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
