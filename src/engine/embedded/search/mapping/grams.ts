import type { Token } from '../analyzers.ts';
import type { Grams } from './field.ts';

/** The terms of a text for completion: parts of its words, and of its words behind each other. */
export function gramsIn(tokens: readonly Token[], grams: Grams): string[] {
  const all: string[] = [];
  for (const { term } of tokens) all.push(...partsOf(folded(term, grams), grams));
  return all;
}

/** A term as completions have it. */
export function folded(term: string, { foldDiacritics }: Pick<Grams, 'foldDiacritics'>): string {
  const lower = term.toLowerCase();
  return foldDiacritics
    ? lower
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFC')
    : lower;
}

function* partsOf(term: string, { tokenization, min, max }: Grams): Generator<string> {
  const characters = [...term];
  const { length } = characters;
  if (length < min) {
    yield term;
    return;
  }
  for (let size = min; size <= Math.min(max, length); size++) {
    if (tokenization === 'edgeGram') yield characters.slice(0, size).join('');
    else if (tokenization === 'rightEdgeGram') yield characters.slice(length - size).join('');
    else for (let at = 0; at + size <= length; at++) yield characters.slice(at, at + size).join('');
  }
}
