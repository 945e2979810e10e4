import { SearchDefinitionError } from './error.ts';
import { byType, nothing } from './kinds.ts';
import { textElement } from './reading.ts';

export type CharFilterSpec =
  | { readonly type: 'htmlStrip'; readonly ignoredTags: readonly string[] }
  | { readonly type: 'icuNormalize' }
  | { readonly type: 'mapping'; readonly mappings: ReadonlyMap<string, string> }
  | { readonly type: 'persian' };

export const charFilter = byType<CharFilterSpec>({
  htmlStrip: (reader) => ({ ignoredTags: reader.optionalList('ignoredTags', textElement) ?? [] }),
  icuNormalize: nothing,
  mapping(reader) {
    reader.object('mappings');
    const mappings = reader.optionalEntries('mappings', (value, path, key) => {
      if (key === '') throw new SearchDefinitionError(path, 'cannot be empty');
      return textElement(value, path);
    });
    return { mappings };
  },
  persian: nothing,
});
