import { parseNewDefinition, SearchDefinitionError, type SearchIndexType } from './index.ts';

/** Returns the error of an invalid definition. */
export function wrong(definition: unknown, type: SearchIndexType = 'search'): string {
  try {
    parseNewDefinition(type, definition);
  } catch (error) {
    if (error instanceof SearchDefinitionError) return error.message;
    throw error;
  }
  return 'nothing';
}
