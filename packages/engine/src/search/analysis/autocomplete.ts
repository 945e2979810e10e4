import type { AutocompleteMapping } from '../../interface/search/index.ts';
import { asciiFolding } from './filters/folding.ts';
import { lowercase } from './filters/lowercase.ts';
import { type Analyzer, batched, type Token } from './token.ts';

type Grams = Omit<AutocompleteMapping, 'analyzer' | 'similarity' | 'type'>;

/** Maximum number of characters in a batch of words. */
const MOST = 2 ** 16;

const folding = asciiFolding(false);

/**
 * Wraps an analyzer of whole words so that its tokens are normalized like the tokens of an autocomplete
 * field.
 */
export function completedWords(words: Analyzer, { foldDiacritics }: Pick<Grams, 'foldDiacritics'>): Analyzer {
  return (text) => {
    const lower = lowercase(words(text), MOST);
    return foldDiacritics ? folding(lower, MOST) : lower;
  };
}

/**
 * Analyzes the strings of an autocomplete field. `words` splits a string into words. The words are joined by spaces, and
 * the tokens are the grams of the joined text. Thus a gram may extend over several words.
 */
export function autocompleteAnalyzer(words: Analyzer, grams: Grams): Analyzer {
  const whole = completedWords(words, grams);
  return function* (text) {
    const joined = grams.tokenization === 'rightEdgeGram' ? new EndGrams(grams) : new StartGrams(grams);
    for (const tokens of whole(text)) yield* batched(gramsOfAll(joined, tokens), MOST);
    yield* batched(joined.rest(), MOST);
  };
}

function* gramsOfAll(joined: EndGrams | StartGrams, tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) yield* joined.add(token);
}

/** The role of a character in the joined text. */
const [INNER, FIRST, GAP] = [0, 1, 2] as const;

/** Yields the grams that begin at each character, or at the first character of each word. */
class StartGrams {
  readonly #grams: Grams;
  #letters: string[] = [];
  #roles: number[] = [];
  #last: Token | undefined;

  constructor(grams: Grams) {
    this.#grams = grams;
  }

  *add(token: Token): Generator<Token> {
    if (this.#last !== undefined) this.#push(' ', GAP);
    this.#last = token;
    let role: number = FIRST;
    for (const letter of token.term) {
      this.#push(letter, role);
      role = INNER;
    }
    yield* this.#upTo(this.#letters.length - this.#grams.maxGrams);
  }

  *rest(): Generator<Token> {
    yield* this.#upTo(this.#letters.length);
  }

  #push(letter: string, role: number): void {
    this.#letters.push(letter);
    this.#roles.push(role);
  }

  /** Yields the grams that begin before a character, and forgets the characters before it. */
  *#upTo(end: number): Generator<Token> {
    for (let at = 0; at < end; at++) {
      if (this.#grams.tokenization === 'nGram' || this.#roles[at] === FIRST) yield* this.#from(at);
    }
    if (end <= 0) return;
    this.#letters = this.#letters.slice(end);
    this.#roles = this.#roles.slice(end);
  }

  *#from(at: number): Generator<Token> {
    const { minGrams: min, maxGrams: max } = this.#grams;
    const { start, end, position } = this.#last as Token;
    const lengths = this.#roles[at] === FIRST ? this.#short(at) : [];
    for (let length = min; length <= max && at + length <= this.#letters.length; length++)
      lengths.push(length);
    for (const length of lengths) {
      yield { start, end, position, term: this.#letters.slice(at, at + length).join('') };
    }
  }

  /** Returns the length of the word that begins at a character if it is too short for a gram. It is a token itself. */
  #short(at: number): number[] {
    const { minGrams } = this.#grams;
    const gap = this.#roles.slice(at, at + minGrams).indexOf(GAP);
    const length = gap < 0 ? this.#letters.length - at : gap;
    return length < minGrams ? [length] : [];
  }
}

/** Yields the grams that end with each word. */
class EndGrams {
  readonly #grams: Grams;
  #letters: string[] = [];

  constructor(grams: Grams) {
    this.#grams = grams;
  }

  *add({ term, start, end, position }: Token): Generator<Token> {
    const { minGrams: min, maxGrams: max } = this.#grams;
    const word = [...term];
    const before = this.#letters.length === 0 ? [] : [...this.#letters, ' '];
    this.#letters = [...before, ...word.slice(-max)].slice(-max);
    const lengths = word.length < min ? [word.length] : [];
    for (let length = min; length <= this.#letters.length; length++) lengths.push(length);
    for (const length of lengths) {
      yield { start, end, position, term: this.#letters.slice(-length).join('') };
    }
  }

  *rest(): Generator<Token> {}
}
