import type { RawDocument } from '../../bson/raw.ts';
import { customAnalyzers, parseDefinition } from '../../interface/search/index.ts';
import type { SearchIndexType } from '../../storage/search-index-table.ts';

/** What a definition says; `ofCluster` holds the analyzers of the cluster. Throws for what no index can be made by. */
export function parsedDefinition(type: SearchIndexType, definition: RawDocument, ofCluster?: RawDocument) {
  const { analyzers } = ofCluster === undefined ? {} : plain(ofCluster);
  const known = customAnalyzers(Array.isArray(analyzers) ? analyzers : [], '');
  return parseDefinition(type, plain(definition), known);
}

/** With plain numbers, whatever their type. */
function plain(document: RawDocument): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(document.toObject(), (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}
