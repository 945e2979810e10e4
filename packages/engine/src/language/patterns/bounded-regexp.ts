import { steps } from '../../bson/turns.ts';
import type { Interruptible } from '../../statement/statement.ts';
import { checkProperties, sizeOf } from './compile-cost.ts';
import { isAnchored, longestText } from './cost.ts';
import { beyondLimit, Machine } from './machine.ts';
import { PatternError } from './pattern-error.ts';
import { compileProgram, type Program } from './program.ts';
import { readSyntax, type Syntax } from './syntax.ts';

/** A match, with the texts of its groups. */
export interface Found {
  readonly index: number;
  readonly texts: readonly (string | undefined)[];
}

/** Maximum number of parts of a pattern after its counted repetitions are expanded. */
const MAX_SIZE = 150_000;

/** The number of steps that take as long as what `Machine` does between two interruption checks. */
const STEPS_OF_CHECK = 4_096;

/** The statement that runs. Callers that have no statement, such as the validation of documents, use it. */
const running: Interruptible = { checkNow: () => steps(STEPS_OF_CHECK) };

/**
 * A regular expression with bounded matching time. V8 can take exponential time to match or even to compile a pattern,
 * and cannot be interrupted. V8 therefore matches only texts that take some tens of milliseconds at most; `Machine`
 * matches all others.
 */
export class BoundedRegExp {
  readonly size: number;
  readonly #regexp: RegExp;
  readonly #syntax: Syntax;
  readonly #longest: number;
  #program: Program | undefined;

  constructor(text: string, ignoreCase: boolean) {
    checkProperties(text);
    this.#regexp = new RegExp(text, ignoreCase ? 'iu' : 'u');
    this.#syntax = readSyntax(text, ignoreCase);
    this.#longest = longestText(this.#syntax.part);
    this.size = sizeOf(this.#syntax.part);
    if (this.#longest < 0 && !(this.size <= MAX_SIZE))
      throw new PatternError('regular expression is too large');
  }

  /** Returns true if a text matches. `statement` can be interrupted while `Machine` matches. */
  test(text: string, statement: Interruptible = running): boolean {
    if (text.length <= this.#longest) return withinStack(() => this.#regexp.test(text));
    return this.#machine(text, statement).test(isAnchored(this.#syntax.part));
  }

  exec(text: string, statement: Interruptible = running): Found | undefined {
    for (const found of this.all(text, statement)) return found;
    return undefined;
  }

  /** All matches, from left to right. */
  *all(text: string, statement: Interruptible = running): Iterable<Found> {
    if (text.length <= this.#longest) {
      const matches = text.matchAll(new RegExp(this.#regexp.source, `${this.#regexp.flags}g`));
      for (;;) {
        const { done, value: found } = withinStack(() => matches.next());
        if (done) return;
        yield { index: found.index, texts: found };
      }
    }
    const machine = this.#machine(text, statement);
    for (let from = 0; from <= text.length; ) {
      const slots = machine.find(from, isAnchored(this.#syntax.part));
      if (slots === undefined) return;
      const [index, end] = [slots[0] as number, slots[1] as number];
      yield { index, texts: this.#texts(text, slots) };
      from = end > index ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    }
  }

  #texts(text: string, slots: Int32Array): (string | undefined)[] {
    return Array.from({ length: this.#syntax.groups + 1 }, (_, group) => {
      const [from, to] = [slots[2 * group] as number, slots[2 * group + 1] as number];
      return from < 0 || to < from ? undefined : text.slice(from, to);
    });
  }

  #machine(text: string, statement: Interruptible): Machine {
    this.#program ??= compileProgram(this.#syntax, statement);
    return new Machine(this.#program, text, statement);
  }
}

/** Runs V8, which throws a `RangeError` if it needs more than 64 MB to remember alternatives. */
function withinStack<T>(match: () => T): T {
  try {
    return match();
  } catch (error) {
    throw error instanceof RangeError ? beyondLimit() : error;
  }
}
