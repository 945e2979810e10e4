import { normalized } from '../normal-forms.ts';
import { step } from '../turns.ts';
import { collateBy } from './collator.ts';
import type { CollationSpec } from './specification.ts';
import { LEAST, type Letter, type Weights, weightsOf } from './weights.ts';

/**
 * Computes a text whose bytes sort in the order of the collation. Returns undefined if the text has no such
 * key.
 */
export type SortKey = (text: string) => string | undefined;

/**
 * Returns the function that computes sort keys under a collation. Returns undefined if sort keys cannot
 * express the options.
 */
export function sortKeyOf(spec: CollationSpec): SortKey | undefined {
  const { strength, alternate, backwards, maxVariable } = spec;
  const shifted = alternate === 'shifted';
  if (backwards || strength === 5 || (shifted && (strength > 3 || maxVariable === 'space'))) return undefined;
  let weights: Weights | undefined;
  return (text) => {
    weights ??= weightsOf(spec, collateBy(spec));
    return new KeyText(spec, weights).of(text);
  };
}

/**
 * Separates the levels of a key. It is less than any weight, so that the key with the shorter level comes
 * first.
 */
const SEPARATOR = '\u0001';
/** A text has no key if one of its numbers has more digits than this, or one of its letters has more marks. */
const MAX_RUN = 200;
/**
 * Maximum length of a text that has a key, in UTF-16 units after normalization. A key takes about 100 bytes
 * per unit.
 */
const MAX_LENGTH = 65_536;

/** Builds one key: collects the weights of each level. */
class KeyText {
  readonly #spec: CollationSpec;
  readonly #weights: Weights;
  readonly #primary: number[] = [];
  readonly #secondary: number[] = [];
  readonly #cased: number[] = [];
  readonly #tertiary: number[] = [];
  #last = '';
  #marks = 0;

  constructor(spec: CollationSpec, weights: Weights) {
    this.#spec = spec;
    this.#weights = weights;
  }

  of(text: string): string | undefined {
    // Decomposition at most halves the length: some characters outside of the first plane become one unit.
    if (text.length > 2 * MAX_LENGTH) return undefined;
    const whole = normalized(text, 'NFD');
    if (whole.length > MAX_LENGTH) return undefined;
    const points = [...whole];
    for (let i = 0; i < points.length; ) {
      step();
      const taken = this.#take(points, i);
      if (taken === 0) return undefined;
      i += taken;
    }
    const { strength, caseLevel } = this.#spec;
    const levels = [encoded(this.#primary)];
    if (strength > 1) levels.push(encoded(trimmed(this.#secondary)));
    if (caseLevel) levels.push(encoded(trimmed(this.#cased)));
    if (strength > 2) levels.push(encoded(trimmed(this.#tertiary)));
    return levels.join(SEPARATOR);
  }

  /**
   * Adds the weights of the letter, mark or number at a position. Returns the number of code points that were read, or
   * 0 if the text has no key.
   */
  #take(points: readonly string[], at: number): number {
    const [point, next = ''] = [points[at] as string, points[at + 1]];
    if (this.#spec.numericOrdering && isDigit(point)) return this.#takeNumber(points, at);
    const { letters, marks, ignored, spellings, irregular } = this.#weights;
    if (ignored.has(point)) {
      this.#last = '';
      return 1;
    }
    const mark = marks.get(point);
    if (mark !== undefined) return this.#takeMark(mark) ? 1 : 0;
    const pair = point + next;
    if (irregular.has(pair) || irregular.has(this.#last + point) || irregular.has(this.#last + pair))
      return 0;
    const unit = next === '' || !letters.has(pair) ? point : pair;
    const spelling = spellings.get(unit);
    if (spelling !== undefined) return this.#takeSpelling([...spelling], next) ? [...unit].length : 0;
    const letter = letters.get(unit);
    if (letter === undefined) return 0;
    this.#add(letter);
    this.#last = unit;
    return [...unit].length;
  }

  #add({ primary, cased, tertiary }: Letter): void {
    this.#primary.push(primary);
    this.#secondary.push(LEAST);
    this.#cased.push(cased);
    this.#tertiary.push(tertiary);
    this.#marks = 0;
  }

  /**
   * Adds a mark. Returns false for a mark without a letter before it, because a collation may ignore such a
   * mark.
   */
  #takeMark(weight: number): boolean {
    if (this.#last === '' || ++this.#marks > MAX_RUN) return false;
    // The letter and this mark can form one unit even if another mark is between them. Such a text has no key.
    if (this.#marks > 1 && this.#hasUnits(this.#last)) return false;
    if (this.#spec.strength > 1) {
      this.#secondary.push(weight);
      this.#tertiary.push(LEAST);
    }
    return true;
  }

  #hasUnits(letter: string): boolean {
    for (const mark of this.#weights.marks.keys()) if (this.#weights.letters.has(letter + mark)) return true;
    return false;
  }

  #takeSpelling(points: readonly string[], next: string): boolean {
    if (this.#weights.marks.has(next)) return false;
    for (let i = 0; i < points.length; ) {
      const taken = this.#take(points, i);
      if (taken === 0) return false;
      i += taken;
    }
    return true;
  }

  /**
   * Adds a number: first the count of its digits, because a number with more digits is greater, and then the
   * digits. Leading zeros are omitted.
   */
  #takeNumber(points: readonly string[], at: number): number {
    let end = at;
    while (end < points.length && isDigit(points[end] as string)) end++;
    const digits = points
      .slice(at, end)
      .join('')
      .replace(/^0+(?=.)/, '');
    const zero = this.#weights.letters.get('0');
    if (digits.length > MAX_RUN || zero === undefined) return 0;
    this.#add({ ...zero, cased: LEAST, tertiary: LEAST });
    this.#primary.push(LEAST + digits.length, ...Array.from(digits, (digit) => LEAST + Number(digit)));
    this.#last = '0';
    return end - at;
  }
}

function isDigit(point: string): boolean {
  return point >= '0' && point <= '9' && point.length === 1;
}

/**
 * Removes the trailing weights that equal `LEAST`. This keeps the order of two keys whose previous levels are equal.
 */
function trimmed(weights: readonly number[]): readonly number[] {
  let end = weights.length;
  while (end > 0 && weights[end - 1] === LEAST) end--;
  return weights.slice(0, end);
}

function encoded(weights: readonly number[]): string {
  let text = '';
  for (const weight of weights) text += String.fromCodePoint(weight);
  return text;
}
