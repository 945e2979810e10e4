import { normalized, streamSafe } from '../normal-forms.ts';
import { copied } from '../turns.ts';
import { graphemesOf } from './graphemes.ts';
import { localeTag } from './locales.ts';
import { comparedInParts, LONG } from './parts.ts';
import type { Collate } from './representatives.ts';
import type { CollationSpec } from './specification.ts';

/**
 * Compares texts under a collation with `Intl.Collator`. It supports the locale, `numericOrdering`,
 * `caseFirst`, strengths 1 to 3 and ignored punctuation. The following options need several comparisons or
 * changed texts. A comparison counts only if the previous ones find no difference:
 * - `caseLevel` at strength 2: compares accents, then case;
 * - `alternate: 'shifted'` at strength 4: compares without punctuation, then with it;
 * - strength 5: compares the code points of the decomposed texts at the end;
 * - `backwards`: compares letters, then the accents of the reversed texts, then the whole texts;
 * - `maxVariable: 'space'`: removes the spaces from both texts first.
 *
 * Two cases are approximations: strength 4 does not distinguish Japanese syllabaries, and reversing a text
 * breaks up sequences of letters that the collation treats as one.
 */
export function collateBy(spec: CollationSpec): Collate {
  const levels = spec.backwards && spec.strength > 1 ? backwardsLevels(spec) : forwardLevels(spec);
  if (spec.strength === 5) levels.push(byCodePoints);
  const [first, ...others] = levels as [Collate, ...Collate[]];
  if (others.length === 0) return first;
  return (a, b) => {
    let order = first(a, b);
    for (let i = 0; order === 0 && i < others.length; i++) order = (others[i] as Collate)(a, b);
    return order;
  };
}

export type Sensitivity = NonNullable<Intl.CollatorOptions['sensitivity']>;

function forwardLevels(spec: CollationSpec): Collate[] {
  const { strength, caseLevel, alternate } = spec;
  const shifted = alternate === 'shifted';
  if (strength === 1) return [levelOf(spec, caseLevel ? 'case' : 'base', shifted)];
  if (strength === 2) {
    const accents = levelOf(spec, 'accent', shifted);
    return caseLevel ? [accents, levelOf(spec, 'case', shifted)] : [accents];
  }
  const whole = [levelOf(spec, 'variant', shifted)];
  if (caseLevel) whole.unshift(levelOf(spec, 'accent', shifted), levelOf(spec, 'case', shifted));
  if (strength > 3 && shifted) whole.push(levelOf(spec, 'variant', false));
  return whole;
}

function backwardsLevels(spec: CollationSpec): Collate[] {
  const shifted = spec.alternate === 'shifted';
  const accents = levelOf(spec, 'accent', shifted);
  return [
    levelOf(spec, 'base', shifted),
    (a, b) => accents(reversed(a), reversed(b)),
    ...forwardLevels(spec),
  ];
}

/** The levels at which texts are compared for a sensitivity, from the coarsest to the finest. */
const levelsOf: Readonly<Record<Sensitivity, readonly Sensitivity[]>> = {
  base: ['base'],
  accent: ['base', 'accent'],
  case: ['base', 'case'],
  variant: ['base', 'accent', 'variant'],
};

/** Returns a comparison of texts at a level of a collation. */
export function levelOf(spec: CollationSpec, sensitivity: Sensitivity, shifted: boolean): Collate {
  const compare = collatorOf(spec, sensitivity, shifted);
  let levels: Collate[] | undefined;
  return (a, b) => {
    if (a === b) return 0;
    if (a.length < LONG && b.length < LONG) return compare(a, b);
    const at = commonStart(a, b);
    levels ??= levelsOf[sensitivity].map((level) => collatorOf(spec, level, shifted));
    return comparedInParts(levels, a.slice(at), b.slice(at));
  };
}

/**
 * Creates a collator. Sets `ignorePunctuation` even if it is false, because the default of a locale may be
 * true.
 */
function collatorOf(spec: CollationSpec, sensitivity: Sensitivity, shifted: boolean): Collate {
  const spacesOnly = shifted && spec.maxVariable === 'space';
  const { compare } = new Intl.Collator(tagOf(spec), {
    sensitivity,
    numeric: spec.numericOrdering,
    ignorePunctuation: shifted && !spacesOnly,
    ...(spec.caseFirst === 'off' ? { caseFirst: 'false' } : { caseFirst: spec.caseFirst as 'upper' }),
  });
  const given = spacesOnly ? (text: string) => streamSafe(withoutSpaces(text)) : streamSafe;
  return (a, b) => compare(given(a), given(b));
}

/** Number of characters that are compared without an interruption check. */
const PIECE = 16_384;
/** The end of a word that no language treats as one letter with the next word. */
const BETWEEN_WORDS = /[\s,.;:][A-Za-z0-9]/;

/**
 * Returns the length of a common beginning of two long texts that does not affect how they compare, because it ends
 * between two words.
 */
function commonStart(a: string, b: string): number {
  const least = Math.min(a.length, b.length);
  if (least < LONG) return 0;
  let common = 0;
  while (common < least && a.slice(common, common + PIECE) === b.slice(common, common + PIECE)) {
    copied(2 * PIECE);
    common = Math.min(common + PIECE, least);
  }
  for (let at = common - 2; at > common - PIECE && at >= 0; at--)
    if (BETWEEN_WORDS.test(a.slice(at, at + 2))) return at + 1;
  return 0;
}

/**
 * Returns the language tag. Replaces Canadian French by French, because `Intl` always compares the accents of
 * Canadian French backwards.
 */
function tagOf({ locale }: CollationSpec): string | undefined {
  return localeTag(locale === 'fr_CA' ? 'fr' : locale);
}

/** Removes spaces. A no-break space is not removed, because it counts as punctuation here. */
function withoutSpaces(text: string): string {
  return text.replace(/[\t-\r \u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/g, '');
}

function reversed(text: string): string {
  let made = '';
  for (const graphemes of graphemesOf(text)) made = graphemes.reverse().join('') + made;
  return made;
}

function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(normalized(a, 'NFD')), Buffer.from(normalized(b, 'NFD')));
}
