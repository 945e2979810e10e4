import type { CustomAnalyzer } from './custom-analyzer.ts';
import { SearchDefinitionError } from './error.ts';
import { builtInName } from './names.ts';
import { Reader } from './reading.ts';

export interface SynonymMapping {
  readonly name: string;
  readonly analyzer: string;
  /** A collection in the database of the index. */
  readonly source: { readonly collection: string };
}

/** Filters and tokenizers that may return several tokens at one position. Synonyms do not support these. */
const several = new Set(['nGram', 'edgeGram', 'daitchMokotoffSoundex', 'shingle', 'wordDelimiterGraph']);

export function synonyms(
  reader: Reader,
  analyzers: ReadonlyMap<string, CustomAnalyzer>,
): readonly SynonymMapping[] {
  const names = new Set<string>();
  const mapping = (value: unknown, path: string): SynonymMapping => {
    const one = new Reader(value, path);
    const name = one.text('name');
    if (names.has(name))
      throw new SearchDefinitionError(one.at('name'), `${name} is a duplicate`, 'semantics');
    names.add(name);
    const analyzer = one.text('analyzer');
    requireOneTokenAtAPlace(analyzer, one.at('analyzer'), analyzers);
    const source = one.object('source');
    const collection = source.text('collection');
    source.done();
    one.done();
    return { name, analyzer, source: { collection } };
  };
  return reader.optionalList('synonyms', mapping) ?? [];
}

function requireOneTokenAtAPlace(
  analyzer: string,
  path: string,
  analyzers: ReadonlyMap<string, CustomAnalyzer>,
): void {
  const builtIn = builtInName(analyzer);
  const custom = analyzers.get(analyzer);
  const type = [custom?.tokenizer, ...(custom?.tokenFilters ?? [])].find((part) =>
    several.has(part?.type ?? ''),
  )?.type;
  if (builtIn !== 'kuromoji' && builtIn !== 'cjk' && type === undefined) return;
  const why = type === undefined ? '' : `, which has ${type}`;
  throw new SearchDefinitionError(path, `cannot be ${analyzer}${why}`, 'semantics');
}
