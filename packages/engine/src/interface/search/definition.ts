import type { CustomAnalyzer } from './custom-analyzer.ts';
import { type TextDefinition, textDefinition } from './text-definition.ts';
import { type VectorDefinition, vectorDefinition } from './vector-definition.ts';

export const searchIndexTypes = ['search', 'vectorSearch'] as const;

export type SearchIndexType = (typeof searchIndexTypes)[number];

/**
 * Parses a definition and adds defaults. `ofCluster` contains the analyzers of the cluster, to which the definition may
 * refer. Throws `SearchDefinitionError` for the first error.
 */
export function parseDefinition(
  type: SearchIndexType,
  definition: unknown,
  ofCluster: readonly CustomAnalyzer[] = [],
): TextDefinition | VectorDefinition {
  return type === 'search' ? textDefinition(definition, ofCluster) : vectorDefinition(definition);
}
