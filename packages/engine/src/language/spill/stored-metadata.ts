import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { double, doubleOf, string, textOf, type Value } from '../../bson/value.ts';
import { type Metadata, metadataOf } from '../metadata.ts';
import { OVERHEAD } from '../workspace.ts';

type Search = NonNullable<Metadata['search']>;

const numbers = ['textScore', 'geoNearDistance', 'score'] as const;
const values = ['geoNearPoint', 'scoreDetails', 'indexKey', 'recordId', 'sortKey'] as const;
const searchNumbers = ['searchScore', 'vectorSearchScore'] as const;
/** Values that a search computes on demand. */
const computed = ['highlights', 'details'] as const;
const ROOT_ID = 'rootId';
const TOKEN = 'sequenceToken';

/** Estimated memory of a value in a buffer of its own, in addition to its bytes. */
const VALUE_BYTES = 256;

/** Estimated memory of a document that a stage keeps, with its metadata. */
export function keptBytes(doc: RawDocument): number {
  const metadata = metadataOf(doc);
  return doc.length + OVERHEAD + (metadata === undefined ? 0 : metadataBytes(metadata, doc));
}

function metadataBytes(metadata: Metadata, { length }: RawDocument): number {
  const { search } = metadata;
  let bytes = OVERHEAD;
  for (const name of values) bytes += valueBytes(metadata[name]);
  if (search === undefined) return bytes;
  bytes += OVERHEAD + valueBytes(search.rootId);
  // The function keeps the document of the collection, from which it makes the highlights.
  return search.highlights === undefined ? bytes : bytes + length;
}

function valueBytes(value: Value | undefined): number {
  return value === undefined ? 0 : value.end - value.start + VALUE_BYTES;
}

/**
 * Encodes the metadata of a document as one document, because no member of a search has the name of other metadata.
 * Metadata that is computed on demand is computed now.
 */
export function storedMetadata(metadata: Metadata): RawDocument {
  const { search } = metadata;
  return writeDocument((writer) => {
    const write = (name: string, value: Value | undefined) => {
      if (value !== undefined) writer.field(name, value);
    };
    const writeNumber = (name: string, value: number | undefined) => {
      if (value !== undefined) writer.field(name, double(value));
    };
    for (const name of numbers) writeNumber(name, metadata[name]);
    for (const name of values) write(name, metadata[name]);
    if (search === undefined) return;
    for (const name of searchNumbers) writeNumber(name, search[name]);
    for (const name of computed) write(name, search[name]?.());
    write(ROOT_ID, search.rootId);
    const token = search.sequenceToken?.();
    if (token !== undefined) writer.field(TOKEN, string(token));
  });
}

/** Decodes metadata that `storedMetadata` has encoded. */
export function metadataIn(stored: RawDocument): Metadata {
  const metadata: Record<string, unknown> = {};
  const search: Record<string, unknown> = {};
  for (const element of stored) {
    const { name } = element;
    if (isOneOf(numbers, name)) metadata[name] = doubleOf(element);
    else if (isOneOf(values, name)) metadata[name] = element;
    else if (isOneOf(searchNumbers, name)) search[name] = doubleOf(element);
    else if (name === TOKEN) search[name] = () => textOf(element);
    else if (name === ROOT_ID) search[name] = element;
    else search[name] = () => element;
  }
  return { ...metadata, ...(Object.keys(search).length > 0 && { search: search as Search }) };
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
