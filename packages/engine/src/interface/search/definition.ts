import type { CustomAnalyzer } from './custom-analyzer.ts';
import { type TextDefinition, textDefinition } from './text-definition.ts';
import { type VectorDefinition, vectorDefinition } from './vector-definition.ts';

export const searchIndexTypes = ['search', 'vectorSearch'] as const;

export type SearchIndexType = (typeof searchIndexTypes)[number];

/**
 * What a definition says, with all that it leaves to defaults. `ofCluster`: analyzers that it may name although it does
 * not define them. Throws `SearchDefinitionError` for the first thing that is wrong.
 */
export function parseDefinition(
  type: SearchIndexType,
  definition: unknown,
  ofCluster: readonly CustomAnalyzer[] = [],
): TextDefinition | VectorDefinition {
  return type === 'search' ? textDefinition(definition, ofCluster) : vectorDefinition(definition);
}
