import { normalized } from '../normal-forms.ts';
import { levelOf, type Sensitivity } from './collator.ts';
import type { Collate } from './representatives.ts';
import type { CollationSpec } from './specification.ts';

/** The weights of one or two code points that a collation treats as one letter. */
export interface Letter {
  readonly primary: number;
  readonly tertiary: number;
  /** The weight at the case level. */
  readonly cased: number;
}

/**
 * The weights of code points under a collation. They are found by comparing texts, because `Intl` has no sort
 * keys. A text has no weights if it contains other code points, or a sequence in `irregular`.
 */
export interface Weights {
  readonly letters: ReadonlyMap<string, Letter>;
  /** The secondary weights of combining marks. */
  readonly marks: ReadonlyMap<string, number>;
  readonly ignored: ReadonlySet<string>;
  /**
   * The spellings of code points that stand for several letters, such as `ss` for `ß`. A code point equals its
   * spelling under the collation.
   */
  readonly spellings: ReadonlyMap<string, string>;
  /** Sequences that the collation does not compare letter by letter. */
  readonly irregular: ReadonlySet<string>;
}

/**
 * The least weight. Smaller values are not used as weights: 1 separates the levels of a key, and 0 would have to be
 * escaped.
 */
export const LEAST = 2;

/** Spellings of code points that have no compatibility decomposition. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o\u0338',
  Ø: 'O\u0338',
  þ: 'th',
  Þ: 'TH',
};

/**
 * The ranges of code points that have weights: Latin, Greek and Cyrillic letters, and general punctuation.
 */
const covered: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x09, 0x0d],
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x384, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x1e00, 0x1ef9],
  [0x2010, 0x2027],
  [0x20ac, 0x20ac],
];

const atoms: readonly string[] = [
  ...new Set(
    covered.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, i) => [
        ...normalized(String.fromCodePoint(from + i), 'NFD'),
      ]).flat(),
    ),
  ),
].sort();

/**
 * The code points of each script. Letters form units only with letters of the same script, or with the signs that are
 * listed with the script.
 */
const scripts: readonly RegExp[] = [/[\p{Script=Latin}·']/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** Finds the weights of a collation by comparing texts. Takes about 20 milliseconds. */
export function weightsOf(spec: CollationSpec, whole: Collate): Weights {
  return new WeightSearch(spec, whole).find();
}

class WeightSearch {
  readonly #base: Collate;
  readonly #accent: Collate;
  readonly #case: Collate;
  readonly #variant: Collate;
  readonly #whole: Collate;
  readonly #spec: CollationSpec;
  readonly #letters = new Map<string, Letter>();
  readonly #marks = new Map<string, number>();
  readonly #ignored = new Set<string>();
  readonly #spellings = new Map<string, string>();
  readonly #irregular = new Set<string>();
  /** The letters by primary weight, least first. */
  #ranks: string[][] = [];

  constructor(spec: CollationSpec, whole: Collate) {
    const level = (sensitivity: Sensitivity) => levelOf(spec, sensitivity, spec.alternate === 'shifted');
    this.#spec = spec;
    this.#whole = whole;
    this.#base = level('base');
    this.#accent = level('accent');
    this.#case = level('case');
    this.#variant = level('variant');
  }

  find(): Weights {
    const single = this.#classify();
    const marks = [...this.#marks.keys()];
    const composed = single.flatMap((letter) => marks.map((mark) => letter + mark));
    const units = composed.filter((unit) => this.#base(unit, unit[0] as string) !== 0);
    this.#rank([...single, ...units]);
    const pairs = this.#contracted();
    if (pairs.length > 0) this.#rank([...single, ...units, ...pairs]);
    for (const unit of [...units, ...pairs]) if (!this.#letters.has(unit)) this.#irregular.add(unit);
    for (const sequence of this.#contracted()) this.#irregular.add(sequence);
    this.#checkMarks();
    return {
      letters: this.#letters,
      marks: this.#marks,
      ignored: this.#ignored,
      spellings: this.#spellings,
      irregular: this.#irregular,
    };
  }

  /** Finds ignored code points and marks. Returns the remaining code points. */
  #classify(): string[] {
    const letters: string[] = [];
    const marks: string[] = [];
    for (const atom of atoms) {
      if (this.#variant(atom, '') === 0) this.#ignored.add(atom);
      else if (this.#base(atom, '') !== 0) letters.push(atom);
      else if (/\p{M}/u.test(atom) && this.#accent(`z${atom}`, 'z') > 0) marks.push(atom);
    }
    marks.sort((a, b) => this.#accent(`z${a}`, `z${b}`));
    let weight = LEAST;
    let last = '';
    for (const mark of marks) {
      if (last === '' || this.#accent(`z${last}`, `z${mark}`) !== 0) weight++;
      else if (this.#variant(`z${last}`, `z${mark}`) !== 0) continue;
      this.#marks.set(mark, weight);
      last = mark;
    }
    const numeral = (text: string) => this.#spec.numericOrdering && /\p{N}/u.test(text) && text !== '0';
    return letters.filter((letter) => !numeral(letter));
  }

  /** Sorts the units, and assigns the same primary weight to units that are equal apart from accents and case. */
  #rank(units: readonly string[]): void {
    this.#letters.clear();
    this.#ranks = [];
    const sorted = units.toSorted(this.#base);
    const highest = sorted.at(-1) as string;
    for (const unit of sorted) {
      const group = this.#ranks.at(-1);
      const [least] = group ?? [];
      if (least !== undefined && this.#base(unit, least) === 0) group?.push(unit);
      // A code point can stand for several letters. It then sorts before the text that consists of its first letter and
      // the highest letter.
      else if (least === undefined || this.#base(unit, least + highest) > 0) this.#ranks.push([unit]);
      else this.#spell(unit);
    }
    for (const [i, group] of this.#ranks.entries()) this.#rankGroup(group, LEAST + i);
  }

  #rankGroup(group: string[], primary: number): void {
    const least = group.reduce((best, other) => (this.#accent(other, best) < 0 ? other : best));
    const plain = group.filter((one) => this.#spec.strength < 2 || this.#accent(one, least) === 0);
    for (const one of group) if (!plain.includes(one)) this.#spell(one);
    group.splice(0, group.length, ...plain);
    const cased = positions(plain, this.#case);
    const tertiary = positions(plain, this.#variant);
    for (const one of plain) {
      this.#letters.set(one, {
        primary,
        cased: LEAST + (cased.get(one) as number),
        tertiary: LEAST + (tertiary.get(one) as number),
      });
    }
  }

  #spell(unit: string): void {
    const bare = normalized(unit, 'NFKD');
    const candidates = [spelled[unit], bare, normalized(`${unit[0]}e`, 'NFD')];
    const found = candidates.find((one) => one !== undefined && one !== unit && this.#whole(unit, one) === 0);
    if (found !== undefined) this.#spellings.set(unit, found);
  }

  /** Returns the pairs of letters that the collation does not compare letter by letter. */
  #contracted(): string[] {
    const found: string[] = [];
    for (const script of scripts) {
      const letters = this.#ranks.flatMap((group, rank) =>
        group.filter((letter) => script.test(letter)).map((letter) => ({ letter, rank })),
      );
      for (const { letter: first } of letters) {
        for (const { letter, rank } of letters) {
          const pair = first + letter;
          if (!this.#letters.has(pair) && !this.#isBetween(first, letter, rank)) found.push(pair);
        }
      }
    }
    return found;
  }

  #isBetween(first: string, letter: string, rank: number): boolean {
    const [before] = this.#ranks[rank - 1] ?? [];
    const [after] = this.#ranks[rank + 1] ?? [];
    const pair = first + letter;
    return (
      (before === undefined || this.#base(pair, first + before) > 0) &&
      (after === undefined || this.#base(pair, first + after) < 0)
    );
  }

  /**
   * Finds pairs of a letter and a mark that are not in the order of the weights of marks, and adds them to `irregular`.
   */
  #checkMarks(): void {
    if (this.#spec.strength < 2) return;
    const marks = [...this.#marks.keys()];
    for (const letter of this.#letters.keys()) {
      for (const [i, mark] of marks.entries()) {
        if (this.#letters.has(letter + mark)) continue;
        const before = letter + (marks[i - 1] ?? '');
        const expected = Math.sign(
          (this.#marks.get(mark) ?? 0) - (this.#marks.get(marks[i - 1] ?? '') ?? LEAST),
        );
        if (this.#letters.has(before) && i > 0) continue;
        if (Math.sign(this.#accent(letter + mark, before)) !== expected) this.#irregular.add(letter + mark);
      }
    }
  }
}

/** Returns the position of each text in the sorted order. Equal texts have the same position. */
function positions(texts: readonly string[], compare: Collate): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let position = -1;
  let last: string | undefined;
  for (const text of texts.toSorted(compare)) {
    if (last === undefined || compare(last, text) !== 0) position++;
    found.set(text, position);
    last = text;
  }
  return found;
}
