import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { normalized } from '../normal-forms.ts';
import { step, steps } from '../turns.ts';
import type { Value } from '../value.ts';
import { collateBy } from './collator.ts';
import { withTexts } from './comparison.ts';
import { graphemesOf } from './graphemes.ts';
import type { Collate } from './representatives.ts';
import { sortKeyOf } from './sort-keys.ts';
import type { CollationSpec } from './specification.ts';

/** Maximum number of graphemes that are cached per collation. */
const REMEMBERED = 16_384;

/**
 * A long text is replaced by its representative in parts of about this many characters. A part ends between
 * words if possible, because some languages compare a sequence of letters as a single letter.
 */
const PART = 4096;
const LONGEST_PART = 65_536;
const SEPARATOR = /^[\s\p{P}]$/u;

/**
 * Replaces every string in a value by a representative, which is the same for all strings that are equal under the
 * collation. Index keys are built from representatives, because `Intl` has no sort keys. The representative of a text
 * consists of the representatives of its graphemes. It is used only if it equals the text under the collation, so
 * different texts never have the same representative. Equal texts always have the same one, except in languages in
 * which a sequence of letters equals another spelling.
 */
export function foldingBy(spec: CollationSpec): (value: Value) => Value {
  const collate = collateBy(spec);
  const foldText = folding(collate, spec.numericOrdering);
  return (value) => withTexts(value, foldText);
}

/**
 * The version of the index keys of texts. It consists of the version of the computation in this file and of
 * the versions of the collation rules, which come with Node.js.
 */
export const COLLATION_VERSION = `keys 2, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}`;

/**
 * An index contains the sort key of each text that has one. For any other text, it contains this code point and the
 * representative of the text. No sort key contains this code point, and it sorts after all others.
 */
export const IRREGULAR = '\u{10ffff}';

/** Replaces every string in a value by its sort key, or by a representative if the string has no sort key. */
export function orderingBy(spec: CollationSpec): (value: Value) => Value {
  const keyText = keyTextUnder(spec);
  return (value) => withTexts(value, keyText);
}

/**
 * Returns the sort key of a text under a collation, or undefined if neither the text nor its representative has one.
 * Equal texts have equal keys.
 */
export function sortKeyUnder(spec: CollationSpec, text: string): string | undefined {
  const key = keyTextUnder(spec)(text);
  return key.startsWith(IRREGULAR) ? undefined : key;
}

const known = new BoundedCache<string, (text: string) => string>({ entries: 64 });

/**
 * Returns the function that computes what an index contains for a text: its sort key, or `IRREGULAR` and its
 * representative.
 */
function keyTextUnder(spec: CollationSpec): (text: string) => string {
  return known.of(JSON.stringify(spec), () => {
    const foldText = folding(collateBy(spec), spec.numericOrdering);
    const sortKey = sortKeyOf(spec);
    return (text) => {
      const own = sortKey?.(text);
      if (own !== undefined) return own;
      const folded = foldText(text);
      return sortKey?.(folded) ?? IRREGULAR + folded;
    };
  });
}

function folding(collate: Collate, numeric: boolean): (text: string) => string {
  const known = new BoundedCache<string, string>({ entries: REMEMBERED });
  const foldGrapheme = (grapheme: string) =>
    candidates(grapheme).find((candidate) => collate(candidate, grapheme) === 0) ?? grapheme;
  return (text) => {
    const plain = numeric ? withoutLeadingZeros(text) : text;
    let made = '';
    let [folded, source] = ['', ''];
    for (const graphemes of graphemesOf(plain)) {
      for (const grapheme of graphemes) {
        step();
        folded += known.of(grapheme, foldGrapheme);
        source += grapheme;
        if (source.length < PART || !(SEPARATOR.test(grapheme) || source.length > LONGEST_PART)) continue;
        if (collate(folded, source) !== 0) return text;
        made += folded;
        [folded, source] = ['', ''];
      }
    }
    if (collate(folded, made === '' ? text : source) !== 0) return text;
    return made + folded;
  };
}

/** Removes the leading zeros of each number in a text. */
function withoutLeadingZeros(text: string): string {
  let [made, from] = ['', 0];
  for (let zero = text.indexOf('0'); zero >= 0; zero = text.indexOf('0', zero + 1)) {
    step();
    if (isDigit(text, zero - 1)) continue;
    let end = zero + 1;
    while (text[end] === '0') end++;
    steps((end - zero) >> STEP_SHIFT);
    // A number of zeros keeps the last one.
    if (!isDigit(text, end)) end--;
    made += text.slice(from, zero);
    from = end;
    zero = Math.max(zero, end - 1);
  }
  return made + text.slice(from);
}

/** Binary logarithm of the number of zeros that are read in the time of one step. */
const STEP_SHIFT = 6;

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 48 && unit <= 57;
}

/** Returns candidates for the representative of a grapheme, the simplest first. */
function candidates(grapheme: string): string[] {
  const parts = normalized(grapheme, 'NFKD');
  const visible = parts.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const bare = visible.replace(/\p{M}/gu, '');
  return [
    '',
    bare.toUpperCase().toLowerCase(),
    bare,
    visible.toLowerCase(),
    visible,
    parts.toLowerCase(),
    parts,
    normalized(grapheme, 'NFD'),
  ];
}
