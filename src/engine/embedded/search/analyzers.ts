import { type Analyzer, analyzerNamed } from './analysis/index.ts';

export type { Analyzer, Token } from './analysis/index.ts';

/** Finds analyzers by name: those of an index, and those that are always there. */
export type Analyzers = (name: string) => Analyzer;

const STANDARD = 'lucene.standard';

export function isKeyword(name: string | undefined): boolean {
  return name === 'lucene.keyword' || name === 'lib.keyword';
}

/** What has no analyzer of its own yet is taken apart by the standard one. */
export function analyzersOf(_definitions: readonly object[]): Analyzers {
  const standard = analyzerNamed(STANDARD);
  return (name) => {
    const found = analyzerNamed(name) ?? standard;
    if (found === undefined) throw new Error('there is no standard analyzer');
    return found;
  };
}
