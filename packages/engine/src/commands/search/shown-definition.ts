import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { arrayOf } from '../../language/expression/field-path.ts';

/** The options that `$listSearchIndexes` shows for a type of fields, even if the definition does not contain them. */
const defaults: Readonly<Record<string, PlainObject>> = {
  string: { indexOptions: 'offsets', store: true, norms: 'include' },
  number: { representation: 'double', indexIntegers: true, indexDoubles: true },
  document: { dynamic: false, fields: {} },
  embeddedDocuments: { dynamic: false, fields: {} },
};

/** Adds the default options of fields to the definition of a search index, as Atlas lists it. */
export function shownDefinition(definition: RawDocument): RawDocument {
  return changed(definition, 'mappings', withFields);
}

function withFields(mapping: RawDocument): RawDocument {
  return changed(mapping, 'fields', (fields) =>
    writeDocument((writer) => {
      for (const field of fields) writer.field(field.name, withDefaults(field));
    }),
  );
}

/** A field has one type, or a list of types. */
function withDefaults(field: Value): Value {
  if (field.type === bsonTypes.array) return arrayOf(entriesOf(field).map(withDefaults));
  return field.type === bsonTypes.object ? complete(withFields(documentOf(field))).toValue() : field;
}

function complete(field: RawDocument): RawDocument {
  const type = field.get('type');
  const name = type?.type === bsonTypes.string ? textOf(type) : '';
  const added = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
  if (added === undefined) return field;
  return writeDocument((writer) => {
    for (const element of field) writer.element(element);
    for (const element of new RawDocument(encodeDocument(added)))
      if (!field.has(element.name)) writer.element(element);
  });
}

/** Returns a document in which the function has replaced one embedded document, if there is one. */
function changed(
  document: RawDocument,
  name: string,
  change: (inner: RawDocument) => RawDocument,
): RawDocument {
  return writeDocument((writer) => {
    for (const element of document) {
      if (element.name === name && element.type === bsonTypes.object)
        writer.field(name, change(documentOf(element)).toValue());
      else writer.element(element);
    }
  });
}
