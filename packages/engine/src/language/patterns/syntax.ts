import { PatternError } from './pattern-error.ts';

/** A part of a translated pattern. */
export type Part =
  | { readonly kind: 'one' | 'zero'; readonly source: string; readonly ignoreCase: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | Repeat
  | { readonly kind: 'group'; readonly number: number; readonly part: Part }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly part: Part }
  | { readonly kind: 'reference'; readonly to: number | string; readonly ignoreCase: boolean };

export interface Repeat {
  readonly kind: 'repeat';
  readonly part: Part;
  readonly least: number;
  readonly most: number;
  readonly lazy: boolean;
  /** The numbers of the capture groups within the part: the first number, and the number after the last. */
  readonly groups: readonly [number, number];
}

export interface Syntax {
  readonly part: Part;
  readonly names: ReadonlyMap<string, number>;
  readonly groups: number;
}

/** PCRE2's limit on the nesting depth of groups. */
const MAX_NESTED = 250;

const CHARACTER = /\[(?:\\.|[^\]\\])*\]|\\u\{[0-9a-f]+\}|\\[pP]\{[^}]*\}|\\x[0-9a-f]{2}|\\.|./isuy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y;
const OPENING = /\((?:\?(?:<(\w+)>|(<?[=!])|(-?)(i?):))?/y;
const REFERENCE = /\\(?:k<(\w+)>|([1-9]\d*))/y;

/** Parses the translator's output, whose syntax V8 has already accepted. */
export function readSyntax(text: string, ignoreCase: boolean): Syntax {
  return new Reader(text).read(ignoreCase);
}

class Reader {
  readonly #text: string;
  readonly #names = new Map<string, number>();
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(ignoreCase: boolean): Syntax {
    const part = this.#choice(ignoreCase);
    return { part, names: this.#names, groups: this.#groups };
  }

  #taken(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = expected.lastIndex;
    return found;
  }

  #choice(ignoreCase: boolean): Part {
    const parts = [this.#sequence(ignoreCase)];
    while (this.#text[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence(ignoreCase));
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  }

  #sequence(ignoreCase: boolean): Part {
    const parts: Part[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] as string)) {
      const before = this.#groups;
      parts.push(this.#repeated(this.#atom(ignoreCase), before));
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'sequence', parts };
  }

  #repeated(part: Part, before: number): Part {
    const found = this.#taken(QUANTIFIER);
    if (found === undefined) return part;
    const [, sign, least, comma, most, lazy] = found;
    const open = comma === ',' && most === '';
    const last = open ? Number.POSITIVE_INFINITY : Number(most || least);
    const [from, to] =
      sign === undefined
        ? [Number(least), last]
        : [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
    const groups = [before + 1, this.#groups + 1] as const;
    return { kind: 'repeat', part, least: from, most: to, lazy: lazy === '?', groups };
  }

  #atom(ignoreCase: boolean): Part {
    const opening = this.#taken(OPENING);
    if (opening !== undefined) return this.#group(opening, ignoreCase);
    const reference = this.#taken(REFERENCE);
    if (reference !== undefined)
      return { kind: 'reference', to: reference[1] ?? Number(reference[2]), ignoreCase };
    const source = this.#taken(CHARACTER)?.[0];
    if (source === undefined) throw new PatternError('regular expression is not supported');
    const kind = ['^', '$', '\\b', '\\B'].includes(source) ? 'zero' : 'one';
    return { kind, source, ignoreCase };
  }

  #group([whole, name, look, off, on]: RegExpExecArray, ignoreCase: boolean): Part {
    if (++this.#depth > MAX_NESTED) throw new PatternError('parentheses are too deeply nested');
    const number = whole === '(' || name !== undefined ? ++this.#groups : 0;
    if (name !== undefined) this.#names.set(name, number);
    const part = this.#choice(on === 'i' ? off === '' : ignoreCase);
    this.#at++;
    this.#depth--;
    if (look !== undefined)
      return { kind: 'look', ahead: look.length === 1, negated: look.endsWith('!'), part };
    return number === 0 ? part : { kind: 'group', number, part };
  }
}
