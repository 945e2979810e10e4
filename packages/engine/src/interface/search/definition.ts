import { type CustomAnalyzer, newAnalyzers, storedAnalyzers } from './custom-analyzer.ts';
import { requireLaterRules, type TextDefinition, textDefinition } from './text-definition.ts';
import { type VectorDefinition, vectorDefinition } from './vector-definition.ts';

export const searchIndexTypes = ['search', 'vectorSearch'] as const;

export type SearchIndexType = (typeof searchIndexTypes)[number];

/**
 * Parses the definition of a new index like `parseDefinition`. Also throws if the definition breaks a rule or a limit that
 * earlier versions of the engine did not have. Stored definitions may break such rules, so that their indexes can still be
 * rebuilt.
 */
export function parseNewDefinition(
  type: SearchIndexType,
  definition: unknown,
  ofCluster: readonly CustomAnalyzer[] = [],
): TextDefinition | VectorDefinition {
  if (type !== 'search') return vectorDefinition(definition);
  const parsed = textDefinition(definition, ofCluster, newAnalyzers);
  requireLaterRules(parsed);
  return parsed;
}

/**
 * Parses a stored definition and adds defaults. `ofCluster` contains the analyzers of the cluster, to which the definition may
 * refer. Throws `SearchDefinitionError` for the first error.
 */
export function parseDefinition(
  type: SearchIndexType,
  definition: unknown,
  ofCluster: readonly CustomAnalyzer[] = [],
): TextDefinition | VectorDefinition {
  return type === 'search'
    ? textDefinition(definition, ofCluster, storedAnalyzers)
    : vectorDefinition(definition);
}
