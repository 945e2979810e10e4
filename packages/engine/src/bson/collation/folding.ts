import type { Value } from '../value.ts';
import { collateBy } from './collator.ts';
import { withTexts } from './comparison.ts';
import type { Collate } from './representatives.ts';
import type { CollationSpec } from './specification.ts';

/** Graphemes whose folded form is remembered, of each collation. */
const REMEMBERED = 16_384;

/**
 * Values with every text replaced by one that stands for all that equal it under the collation: what the keys of
 * an index are made of, since `Intl` has no sort keys. Texts that differ never come out the same: whatever a text
 * becomes is compared with it. Equal texts come out the same letter by letter; only where a language takes several
 * letters for one that is written otherwise may two equal texts stay apart.
 */
export function foldingBy(spec: CollationSpec): (value: Value) => Value {
  const collate = collateBy(spec);
  const foldText = folding(collate, spec.numericOrdering);
  return (value) => withTexts(value, foldText);
}

function folding(collate: Collate, numeric: boolean): (text: string) => string {
  const known = new Map<string, string>();
  const foldGrapheme = (grapheme: string): string => {
    let folded = known.get(grapheme);
    if (folded === undefined) {
      folded = candidates(grapheme).find((candidate) => collate(candidate, grapheme) === 0) ?? grapheme;
      if (known.size >= REMEMBERED) known.clear();
      known.set(grapheme, folded);
    }
    return folded;
  };
  return (text) => {
    const plain = numeric ? text.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '')) : text;
    const folded = graphemesOf(plain).map(foldGrapheme).join('');
    return collate(folded, text) === 0 ? folded : text;
  };
}

/** What a grapheme may be the same as, the least first. */
function candidates(grapheme: string): string[] {
  const parts = grapheme.normalize('NFKD');
  const bare = parts.replace(/\p{M}/gu, '');
  return ['', bare.toUpperCase().toLowerCase(), bare, parts.toLowerCase(), parts, grapheme.normalize('NFD')];
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Every character of ASCII is one; cutting up other texts costs a microsecond for each. */
function graphemesOf(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there
  if (/^[\x00-\x7f]*$/.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
