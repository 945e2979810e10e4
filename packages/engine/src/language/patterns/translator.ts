import { asciiClasses, unicodeClasses } from './classes.ts';
import { characterClass, characterEscape } from './escapes.ts';
import { PatternError } from './pattern-error.ts';
import { Scanner } from './scanner.ts';

interface Modes {
  i: boolean;
  m: boolean;
  s: boolean;
  x: boolean;
}

interface Group {
  /** The modes to restore after the group. */
  readonly modes: Modes;
  /** The position of the group in the output. */
  readonly start: number;
  readonly close: string;
  /** True within a lookbehind, where every part must have a fixed length. */
  readonly behind: boolean;
  /**
   * Number of JavaScript groups that inline modes opened within this group. They are closed where this group
   * ends.
   */
  opened: number;
}

/** Matches at the end of the text or before a final newline, as Perl's `$` does. */
const END = '(?=\\n?$)';

/**
 * Translates a Perl-compatible pattern to a JavaScript pattern with the flag `u`, in one pass. The JavaScript pattern
 * keeps the flag `i`. It expresses the other flags by replacing `^`, `$` and `.`.
 */
export class Translator {
  readonly #scanner: Scanner;
  #text = '';
  #modes: Modes = { i: false, m: false, s: false, x: false };
  /** The groups that are open. The first group represents the whole pattern. */
  readonly #groups: Group[];
  readonly #numbers: number[] = [];
  #captures = 0;
  #tables = asciiClasses;
  /** The position in the output of the last part that a quantifier can follow; -1 if there is none. */
  #atom = -1;
  readonly #ignoreCase: boolean;

  constructor(source: string, flags: string) {
    this.#scanner = new Scanner(source);
    this.#readVerbs();
    for (const flag of flags) {
      if (flag === 'u') continue;
      if (!isMode(flag)) throw new PatternError(`invalid flag in regex options: ${flag}`);
      this.#modes[flag] = true;
    }
    this.#ignoreCase = this.#modes.i;
    this.#groups = [{ modes: this.#modes, start: 0, close: '', behind: false, opened: 0 }];
  }

  /** Reads verbs at the start of a pattern: `(*UTF)`, and `(*UCP)` for Unicode properties in classes. */
  #readVerbs(): void {
    for (let verb = this.#scanner.taken(verbs); verb !== undefined; verb = this.#scanner.taken(verbs)) {
      if (verb[1] === 'UCP') this.#tables = unicodeClasses;
    }
  }

  translate(): { text: string; groups: readonly number[]; ignoreCase: boolean } {
    while (!this.#scanner.ended) this.#step();
    const [whole, inner] = this.#groups;
    if (inner !== undefined) throw new PatternError('missing closing parenthesis');
    const text = this.#text + ')'.repeat(whole?.opened ?? 0);
    return { text, groups: this.#numbers, ignoreCase: this.#ignoreCase };
  }

  #step(): void {
    const character = this.#scanner.take();
    const plain = this.#plain(character);
    if (plain !== undefined) this.#emit(...plain);
    else if (character === '\\') this.#escape();
    else if (character === '(') this.#open();
    else if (character === ')') this.#close();
    else if (character === '|') this.#alternative();
    else if (character === '{') this.#braces();
    else if ('*+?'.includes(character)) this.#repeat(character);
    else if (!this.#modes.x || !this.#skips(character)) this.#emit(literal(character));
  }

  /** Returns the translation of a single character, and whether a quantifier may follow. */
  #plain(character: string): readonly [string, boolean] | undefined {
    switch (character) {
      case '[':
        return [characterClass(this.#scanner, this.#tables), true];
      case '^':
        return [this.#modes.m ? '(?<=\\n|^)' : '^', false];
      case '$':
        return [this.#modes.m ? '(?=\\n|$)' : END, false];
      case '.':
        return [this.#modes.s ? '[\\s\\S]' : '[^\\n]', true];
      default:
        return undefined;
    }
  }

  /** In extended mode, skips white space or a comment. Returns false for any other character. */
  #skips(character: string): boolean {
    if (character !== '#') return /\s/.test(character);
    this.#scanner.takeTo('\n');
    return true;
  }

  #emit(text: string, repeatable = true): void {
    this.#atom = repeatable ? this.#text.length : -1;
    this.#text += text;
  }

  /** Translates an opening brace, which is a literal unless it begins a quantifier. */
  #braces(): void {
    const found = this.#scanner.taken(/(\d*)(?:,(\d*))?\}/);
    if (found === undefined || found[0] === '}' || found[0] === ',}') {
      this.#emit(`\\{${found === undefined ? '' : found[0].replace('}', '\\}')}`);
      return;
    }
    if (Number(found[1]) > 65535 || Number(found[2]) > 65535) {
      throw new PatternError('number too big in {} quantifier');
    }
    this.#repeat(`{${found[1] === '' ? '0' : ''}${found[0]}`);
  }

  #repeat(quantifier: string): void {
    if (this.#atom === -1) throw new PatternError('quantifier does not follow a repeatable item');
    if (this.#behind && !/^\{(\d+)(?:,\1)?\}$/.test(quantifier)) {
      throw new PatternError('lookbehind assertion is not fixed length');
    }
    if (this.#scanner.taken(/\+/)) {
      const atom = this.#text.slice(this.#atom);
      this.#text = this.#text.slice(0, this.#atom) + this.#atomic(atom + quantifier);
    } else this.#text += this.#scanner.taken(/\?/) ? `${quantifier}?` : quantifier;
    this.#atom = -1;
  }

  /**
   * Translates an atomic group to a lookahead with a capture, followed by a reference to the capture: a lookahead that
   * has matched is not tried again.
   */
  #atomic(text: string): string {
    // Reject inner groups: the added capture would come before them and shift their numbers.
    if (/\((?!\?)|\(\?<(?![=!])/.test(text)) {
      throw new PatternError('groups in possessive parts are not supported');
    }
    this.#captures++;
    return `(?:(?=(${text}))\\${this.#captures})`;
  }

  #open(): void {
    const scanner = this.#scanner;
    if (scanner.follows('*')) throw new PatternError('verbs are not supported');
    if (!scanner.follows('?')) {
      this.#begin('(', true);
      return;
    }
    if (scanner.taken(/\?#[^)]*\)/)) return;
    const modes = scanner.taken(/\?([imsxn]*)(?:-([imsxn]*))?([:)])/);
    const name = modes ? undefined : scanner.taken(/\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/);
    if (modes !== undefined) this.#changeModes(modes[1] ?? '', modes[2] ?? '', modes[3] === ':');
    else if (name !== undefined) this.#begin(`(?<${name[1] ?? name[2]}>`, true);
    else this.#openSpecial();
  }

  #openSpecial(): void {
    const around = this.#scanner.taken(/\?(?:<?[=!])/);
    const reference = around ? undefined : this.#scanner.taken(/\?P=(\w+)\)/);
    if (around !== undefined) this.#begin(`(${around[0]}`, false);
    else if (reference !== undefined) this.#emit(`\\k<${reference[1]}>`);
    else if (this.#scanner.taken(/\?>/)) {
      this.#captures++;
      this.#begin('(?:(?=(', false, `))\\${this.#captures})`);
    } else throw new PatternError('unrecognized character after (? or (?-');
  }

  #begin(text: string, captures: boolean, close = ')'): void {
    if (captures) {
      this.#captures++;
      this.#numbers.push(this.#captures);
    }
    const behind = text.startsWith('(?<=') || text.startsWith('(?<!') || this.#behind;
    this.#groups.push({ modes: { ...this.#modes }, start: this.#text.length, close, behind, opened: 0 });
    this.#text += text;
    this.#atom = -1;
  }

  get #behind(): boolean {
    return this.#groups.at(-1)?.behind === true;
  }

  #close(): void {
    const group = this.#groups.length > 1 ? this.#groups.pop() : undefined;
    if (group === undefined) throw new PatternError('unmatched closing parenthesis');
    this.#text += ')'.repeat(group.opened) + group.close;
    this.#modes = group.modes;
    this.#atom = group.start;
  }

  /** Changes modes. `(?i)` applies up to the end of the enclosing group, `(?i:…)` only to its own content. */
  #changeModes(on: string, off: string, scoped: boolean): void {
    const before = this.#modes;
    const after = { ...before };
    for (const flag of on) if (isMode(flag)) after[flag] = true;
    for (const flag of off) if (isMode(flag)) after[flag] = false;
    const changed = after.i !== before.i;
    const prefix = changed ? caseGroup(after) : '(?:';
    if (scoped) this.#begin(prefix, false);
    else if (changed) {
      this.#text += prefix;
      (this.#groups.at(-1) as Group).opened++;
    }
    this.#modes = after;
    this.#atom = -1;
  }

  /** Starts the next alternative. Inline modes of the previous alternatives stay in effect. */
  #alternative(): void {
    const group = this.#groups.at(-1) as Group;
    this.#text += `${')'.repeat(group.opened)}|`;
    if (group.opened > 0) {
      // One group has the modes of all: with more, the text would grow with the square of the pattern.
      this.#text += caseGroup(this.#modes);
      group.opened = 1;
    }
    this.#atom = -1;
  }

  #escape(): void {
    const scanner = this.#scanner;
    if (scanner.ended) throw new PatternError('\\ at end of pattern');
    if (scanner.taken(/E/)) return;
    if (scanner.taken(/Q/)) {
      for (const character of scanner.takeTo('\\E')) this.#emit(literal(character));
      return;
    }
    const text = this.#reference() ?? characterEscape(scanner);
    if (text !== undefined) this.#emit(text);
    else this.#letterEscape(scanner.take());
  }

  /** Translates a back reference by number or name. */
  #reference(): string | undefined {
    const numbered = this.#scanner.taken(/g\{?(-?)(\d+)\}?|()([1-9])(?!\d)/);
    if (numbered !== undefined) {
      const number = Number(numbered[2] ?? numbered[4]);
      const group = this.#numbers[numbered[1] === '-' ? this.#numbers.length - number : number - 1];
      if (group === undefined) throw new PatternError('reference to non-existent subpattern');
      return `(?:\\${group})`;
    }
    const named = this.#scanner.taken(/k(?:<(\w+)>|\{(\w+)\}|'(\w+)')|g\{([A-Za-z_]\w*)\}/);
    return named && `\\k<${named[1] ?? named[2] ?? named[3] ?? named[4]}>`;
  }

  #letterEscape(letter: string): void {
    const unicode = this.#tables === unicodeClasses;
    const set = this.#tables.escaped[letter];
    const assertion = (unicode ? unicodeAssertions[letter] : undefined) ?? assertions[letter];
    const without = unicode && (letter === 'W' || letter === 'S') ? letter.toLowerCase() : undefined;
    if (without !== undefined) this.#emit(`[^${unicodeClasses.escaped[without]}]`);
    else if (set !== undefined) this.#emit(`[${set}]`);
    else if (assertion !== undefined) this.#emit(assertion, false);
    else if (letter === 'R') this.#emit('(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])');
    else if (letter === 'N') this.#emit('[^\\n]');
    else if (/[A-Za-z0-9]/.test(letter)) throw new PatternError('unrecognized character follows \\');
    else this.#emit(literal(letter));
  }
}

function isMode(flag: string): flag is keyof Modes {
  return flag === 'i' || flag === 'm' || flag === 's' || flag === 'x';
}

function caseGroup({ i }: Modes): string {
  return i ? '(?i:' : '(?-i:';
}

const verbs = /\(\*(UTF8?|UCP)\)/;

const WORD = `[${unicodeClasses.escaped.w}]`;

const unicodeAssertions: Readonly<Record<string, string>> = {
  b: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
};

const assertions: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: END,
  b: '\\b',
  B: '\\B',
  G: '^',
};

function literal(character: string): string {
  return /[$()*+./?[\\\]^{|}]/.test(character) ? `\\${character}` : character;
}
