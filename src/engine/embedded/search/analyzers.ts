import { customAnalyzers } from '../../search/index.ts';
import { type Analyzer, analyzerNamed, customAnalyzer } from './analysis/index.ts';

export type { Analyzer, Token } from './analysis/index.ts';

/** Finds analyzers by name: those of an index, and those that are always there. */
export type Analyzers = (name: string) => Analyzer;

const STANDARD = 'lucene.standard';

export function isKeyword(name: string | undefined): boolean {
  return name === 'lucene.keyword' || name === 'lib.keyword';
}

/** `definitions` are those of custom analyzers. */
export function analyzersOf(definitions: readonly object[]): Analyzers {
  const specs = new Map(customAnalyzers(definitions, '').map((spec) => [spec.name, spec]));
  const made = new Map<string, Analyzer>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const spec = specs.get(name);
    const analyzer = spec === undefined ? analyzerNamed(name) : customAnalyzer(spec);
    const found = analyzer ?? analyzerNamed(STANDARD);
    if (found === undefined) throw new Error('there is no standard analyzer');
    made.set(name, found);
    return found;
  };
}
