import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { searchError } from '../../search/query/errors.ts';
import { Spec } from '../../search/query/spec.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';

/** An index as a command asks for it. */
export interface NewIndex {
  readonly id: string | undefined;
  readonly name: string;
  readonly type: SearchIndexType;
  readonly definition: RawDocument;
}

export function readNewIndex(index: RawDocument, at: number): NewIndex {
  const spec = new Spec(index, `userCommand.indexes[${at}]`);
  const name = spec.string('name') ?? 'default';
  if (name === '') throw searchError(`"${spec.name('name')}" cannot be empty`);
  const type = spec.oneOf('type', ['search', 'vectorSearch']) ?? 'search';
  const definition = spec.requiredDocument('definition').doc;
  const id = spec.string('id');
  spec.finish();
  checkDefinition(type, definition, spec.name('definition'));
  return { id, name, type, definition };
}

/** Throws for what no index can be made by. */
export function checkDefinition(type: SearchIndexType, definition: RawDocument, at: string): void {
  if (type === 'search') {
    const mappings = definition.get('mappings');
    if (mappings?.type !== bsonTypes.object) throw searchError(`"${at}.mappings" is required`);
    return;
  }
  const fields = definition.get('fields');
  if (fields?.type !== bsonTypes.array) throw searchError(`"${at}.fields" is required`);
  const all = [...documentOf(fields)].map((entry) => Spec.of(entry, `${at}.fields[${entry.name}]`));
  if (all.length === 0) throw searchError(`"${at}.fields" cannot be empty`);
  for (const field of all) {
    field.requiredString('path');
    const kind = field.oneOf('type', ['vector', 'filter']) ?? 'filter';
    if (kind === 'vector') {
      field.requiredInt('numDimensions', { min: 1, max: 8192 });
      field.required('similarity');
      field.oneOf('similarity', ['cosine', 'euclidean', 'dotProduct']);
    }
  }
  const vector = all.some(({ doc }) => {
    const kind = doc.get('type');
    return kind?.type === bsonTypes.string && textOf(kind) === 'vector';
  });
  if (!vector) throw searchError(`"${at}.fields" must have at least one field of type vector`);
}
