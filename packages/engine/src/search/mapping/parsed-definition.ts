import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import {
  countReading,
  newAnalyzers,
  parseDefinition,
  parseNewDefinition,
  storedAnalyzers,
} from '../../interface/search/index.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';

countReading(steps);

/**
 * Parses a stored definition. `ofCluster` contains the analyzers that the cluster defines. Throws if the definition is
 * invalid.
 */
export function parsedDefinition(type: SearchIndexType, definition: RawDocument, ofCluster?: RawDocument) {
  return parseDefinition(type, plain(definition), analyzersIn(ofCluster, storedAnalyzers));
}

/** Throws if no index can be created from a definition. */
export function requireNewDefinition(
  type: SearchIndexType,
  definition: RawDocument,
  ofCluster?: RawDocument,
): void {
  parseNewDefinition(type, plain(definition), analyzersIn(ofCluster, newAnalyzers));
}

function analyzersIn(ofCluster: RawDocument | undefined, read: typeof newAnalyzers) {
  const { analyzers } = ofCluster === undefined ? {} : plain(ofCluster);
  return read(Array.isArray(analyzers) ? analyzers : [], '');
}

/** Converts a definition to plain JSON values. The values of options are always JSON values. */
function plain(document: RawDocument): Record<string, unknown> {
  // Without a prototype, a field named `__proto__` is a field like any other.
  const object: Record<string, unknown> = Object.create(null);
  for (const element of document) object[element.name] = jsonOf(element);
  return object;
}

function jsonOf(value: Value): unknown {
  switch (value.type) {
    case bsonTypes.object:
      return plain(documentOf(value));
    case bsonTypes.array:
      return entriesOf(value).map(jsonOf);
    case bsonTypes.string:
      return textOf(value);
    case bsonTypes.bool:
      return boolOf(value);
    case bsonTypes.null:
      return null;
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.double:
      return toNumber(value);
    default:
      return OF_ANOTHER_TYPE;
  }
}

/** Takes the place of a value that JSON cannot represent. Validation rejects it, because no option accepts a bigint. */
const OF_ANOTHER_TYPE = 0n;
