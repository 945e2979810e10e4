import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { boolOf, int32Of, nullValue, type Value } from '../../bson/value.ts';

/**
 * Applies the result of `diffOf(before, after)` to `before`. Updated fields keep their positions; inserted
 * fields come last.
 */
export function applyDiff(before: RawDocument, diff: RawDocument): RawDocument {
  const sections = sectionsOf(diff);
  return writeDocument((writer) => {
    for (const element of before) {
      const { name } = element;
      if (sections.inserted.has(name) || sections.deleted.has(name)) continue;
      writer.field(name, changed(element, sections.updated.get(name), sections.inside.get(name)));
      sections.updated.delete(name);
    }
    for (const [name, value] of [...sections.updated, ...sections.inserted]) writer.field(name, value);
  });
}

interface Sections {
  readonly deleted: ReadonlyMap<string, Value>;
  readonly updated: Map<string, Value>;
  readonly inserted: ReadonlyMap<string, Value>;
  readonly inside: ReadonlyMap<string, RawDocument>;
}

function sectionsOf(diff: RawDocument): Sections {
  const inside = new Map<string, RawDocument>();
  for (const section of diff) {
    if (section.name.startsWith('s')) inside.set(section.name.slice(1), documentOf(section));
  }
  const fieldsOf = (name: string) => {
    const section = diff.get(name);
    const elements = section === undefined ? [] : [...documentOf(section)];
    return new Map<string, Value>(elements.map((element) => [element.name, element]));
  };
  return { deleted: fieldsOf('d'), updated: fieldsOf('u'), inserted: fieldsOf('i'), inside };
}

function changed(old: Value, updated: Value | undefined, inside: RawDocument | undefined): Value {
  if (updated !== undefined || inside === undefined) return updated ?? old;
  const document =
    old.type === bsonTypes.object || old.type === bsonTypes.array ? documentOf(old) : RawDocument.empty;
  const first = inside.first();
  const isArray = first?.name === 'a' && first.type === bsonTypes.bool && boolOf(first);
  return isArray ? changedArray(document, inside) : applyDiff(document, inside).toValue();
}

function changedArray(before: RawDocument, diff: RawDocument): Value {
  const entries: Value[] = [...before];
  const length = diff.get('l');
  if (length !== undefined) entries.length = Math.min(entries.length, int32Of(length));
  for (const element of diff) {
    const at = Number(element.name.slice(1));
    if (element.name.startsWith('u')) entries[at] = element;
    else if (element.name.startsWith('s')) {
      entries[at] = changed(entries[at] ?? nullValue, undefined, documentOf(element));
    }
  }
  const writer = new DocumentWriter();
  const start = writer.begin();
  for (let i = 0; i < entries.length; i++) writer.field(String(i), entries[i] ?? nullValue);
  writer.end(start);
  return new RawDocument(writer.finish()).toValue(bsonTypes.array);
}
