import type { RawDocument } from '../../bson/raw.ts';
import { customAnalyzers, parseDefinition } from '../../interface/search/index.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';

/** Parses a definition; `ofCluster` contains the analyzers of the cluster. Throws if it is invalid. */
export function parsedDefinition(type: SearchIndexType, definition: RawDocument, ofCluster?: RawDocument) {
  const { analyzers } = ofCluster === undefined ? {} : plain(ofCluster);
  const known = customAnalyzers(Array.isArray(analyzers) ? analyzers : [], '');
  return parseDefinition(type, plain(definition), known);
}

/** Converts all numbers to plain numbers. */
function plain(document: RawDocument): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(document.toObject(), (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}
