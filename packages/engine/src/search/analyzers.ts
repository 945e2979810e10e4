import type { CustomAnalyzer } from '../interface/search/index.ts';
import { type Analyzer, analyzerNamed, customAnalyzer } from './analysis/index.ts';

export type { Analyzer, Token } from './analysis/index.ts';

/** Returns the analyzer with a name: one of the index or a built-in one. */
export type Analyzers = (name: string) => Analyzer;

export function isKeyword(name: string | undefined): boolean {
  return name === 'lucene.keyword' || name === 'lib.keyword';
}

/**
 * Returns the analyzers of an index. `custom` contains the analyzers that the index and its cluster define, by name.
 */
export function analyzersOf(custom: ReadonlyMap<string, CustomAnalyzer>): Analyzers {
  const made = new Map<string, Analyzer>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const spec = custom.get(name);
    const found = spec === undefined ? analyzerNamed(name) : customAnalyzer(spec);
    if (found === undefined) throw new Error(`there is no analyzer ${name}`);
    made.set(name, found);
    return found;
  };
}
