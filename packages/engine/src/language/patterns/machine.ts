import { ServerError } from '../../errors/server-error.ts';
import { type Interruptible, unwatched } from '../../statement/statement.ts';
import { Choices } from './choices.ts';
import type { Instruction, Program } from './program.ts';

/** The step limit of PCRE2. Each character of the text raises the limit by `STEPS_OF_LETTER`. */
const MAX_STEPS = 10_000_000;
const STEPS_OF_LETTER = 16;

/** Maximum number of entries on the stack, about fifty megabytes. */
const MAX_STACK = 12_000_000;

/** Maximum number of bits that record failed positions, eight megabytes. */
const MAX_REMEMBERED = 64_000_000;

/** The number of steps between two interruption checks. These steps take a millisecond or two. */
const STEPS_BETWEEN_CHECKS = 20_000;
/** The number of groups that are removed from the stack between two interruption checks. */
const POPS_BETWEEN_CHECKS = 65_536;

/** The number of characters that a back reference compares between two interruption checks. */
const PIECE = 65_536;

const UNSET = -1;

/** Returns the server's error if PCRE2 exceeds its step limit. */
export function beyondLimit(): ServerError {
  return new ServerError(51156, 'Error occurred while executing the regular expression. Result code: -47');
}

/**
 * Runs a compiled pattern on a text by backtracking, in a bounded number of steps. Without back references, an
 * instruction always has the same result at a position, so each pair of instruction and position is tried only once.
 */
export class Machine {
  readonly #code: readonly Instruction[];
  readonly #text: string;
  readonly #slots: Int32Array;
  /**
   * The stack of alternatives and saved slots, as groups of three numbers. The group of an alternative consists of an
   * instruction, a text position and 0. The group of a saved slot consists of -1, the slot and its previous value.
   */
  readonly #stack = new Choices();
  readonly #tried: Uint8Array | undefined;
  readonly #emptiable: boolean;
  readonly #statement: Interruptible;
  #steps: number;
  /** The number of remaining steps at which the next interruption check is due. */
  #pause: number;
  /** Number of groups that were removed from the stack. */
  #pops = 0;

  constructor(
    { code, slots, splits, refers, emptiable }: Program,
    text: string,
    statement: Interruptible = unwatched,
  ) {
    this.#statement = statement;
    this.#code = code;
    this.#text = text;
    this.#emptiable = emptiable;
    this.#slots = new Int32Array(slots).fill(UNSET);
    const bits = splits * (text.length + 1);
    if (!refers && bits <= MAX_REMEMBERED) this.#tried = new Uint8Array((bits >> 3) + 1);
    this.#steps = MAX_STEPS + STEPS_OF_LETTER * text.length;
    this.#pause = this.#steps - STEPS_BETWEEN_CHECKS;
  }

  test(anchored: boolean): boolean {
    return this.#first(0, anchored) !== undefined;
  }

  /**
   * Returns the start and end positions of all groups, the whole match first; undefined if nothing matches from `from`
   * on.
   */
  find(from: number, anchored: boolean): Int32Array | undefined {
    const first = this.#first(from, anchored);
    if (first === undefined) return undefined;
    const [start] = first;
    // A run that skips failed positions finds the right match. But if a repeated part can be empty, the run may count
    // the repetitions wrongly. So run again from the start of the match, without skipping.
    if (this.#emptiable) this.#reset();
    const end = this.#emptiable ? this.#begin(start, undefined) : first[1];
    this.#slots[0] = start;
    this.#slots[1] = end;
    return this.#slots;
  }

  #first(from: number, anchored: boolean): readonly [number, number] | undefined {
    this.#tried?.fill(0);
    this.#steps -= (this.#tried?.length ?? 0) >> 5;
    this.#reset();
    for (let start = from; start <= this.#text.length; start++) {
      if (this.#splitsPair(start)) continue;
      const end = this.#begin(start, this.#tried);
      if (end !== UNSET) return [start, end];
      if (anchored) return undefined;
    }
    return undefined;
  }

  /** Clears the group positions of the previous match. */
  #reset(): void {
    this.#steps -= this.#slots.length >> 3;
    this.#stack.clear();
    this.#slots.fill(UNSET);
  }

  #begin(start: number, tried: Uint8Array | undefined): number {
    return this.#run(0, start, tried, UNSET);
  }

  #splitsPair(at: number): boolean {
    return at > 0 && (this.#text.codePointAt(at - 1) as number) > 0xffff;
  }

  /** Returns the end of a match that begins at `from`, or `UNSET`. If `wanted` is set, the match must end there. */
  #run(first: number, from: number, tried: Uint8Array | undefined, wanted: number): number {
    const base = this.#stack.length;
    let [place, at] = [first, from];
    for (;;) {
      if (--this.#steps < this.#pause) this.#check();
      const instruction = this.#code[place] as Instruction;
      if (instruction.does === 'end' && (wanted === UNSET || at === wanted)) {
        this.#forgetChoices(base);
        return at;
      }
      const next = this.#step(instruction, place, at, tried);
      if (next >= 0) {
        at = this.#at;
        place = next;
        continue;
      }
      place = this.#back(base);
      if (place < 0) return UNSET;
      at = this.#at;
    }
  }

  #check(): void {
    if (this.#steps < 0 || this.#stack.length > MAX_STACK) throw beyondLimit();
    this.#pause = Math.max(0, this.#steps - STEPS_BETWEEN_CHECKS);
    this.#statement.checkNow();
  }

  /** The text position after the last step. */
  #at = 0;

  /** Executes one instruction and returns the index of the next, or -1 if it fails. */
  #step(instruction: Instruction, place: number, at: number, tried: Uint8Array | undefined): number {
    this.#at = at;
    switch (instruction.does) {
      case 'one': {
        const code = this.#text.codePointAt(at);
        if (code === undefined || !instruction.test(code)) return -1;
        this.#at = at + (code > 0xffff ? 2 : 1);
        return place + 1;
      }
      case 'split': {
        if (tried !== undefined && !this.#isFirst(tried, instruction.number, at)) return -1;
        this.#stack.push(instruction.second, at, 0);
        return instruction.first;
      }
      case 'jump':
        return instruction.to;
      case 'save':
        this.#set(instruction.slot, at);
        return place + 1;
      case 'clear':
        this.#steps -= instruction.to - instruction.from;
        for (let slot = instruction.from; slot < instruction.to; slot++) this.#set(slot, UNSET);
        return place + 1;
      case 'advanced':
        return this.#slots[instruction.slot] === at ? -1 : place + 1;
      case 'zero':
        instruction.regexp.lastIndex = at;
        return instruction.regexp.test(this.#text) ? place + 1 : -1;
      case 'look':
        return this.#looks(instruction, place, at) ? instruction.next : -1;
      case 'reference':
        return this.#refers(instruction, at) ? place + 1 : -1;
      case 'end':
        return -1;
    }
  }

  #isFirst(tried: Uint8Array, split: number, at: number): boolean {
    const bit = split * (this.#text.length + 1) + at;
    const byte = tried[bit >> 3] as number;
    if (byte & (1 << (bit & 7))) return false;
    tried[bit >> 3] = byte | (1 << (bit & 7));
    return true;
  }

  #set(slot: number, value: number): void {
    this.#stack.push(-1, slot, this.#slots[slot] as number);
    this.#slots[slot] = value;
  }

  /** Backtracks to the last alternative. Returns the index of its instruction, or -1 if there is none. */
  #back(base: number): number {
    const stack = this.#stack;
    while (stack.length > base) {
      this.#pop();
      if (stack.first >= 0) {
        this.#at = stack.second;
        return stack.first;
      }
      this.#slots[stack.second] = stack.third;
    }
    return -1;
  }

  /**
   * Drops the alternatives within an assertion that has matched, such as a lookahead, because its match is final. Keeps
   * the previous values of slots for later backtracking.
   */
  #forgetChoices(base: number): void {
    const stack = this.#stack;
    const saved = new Choices();
    while (stack.length > base) {
      this.#pop();
      if (stack.first < 0) saved.push(-1, stack.second, stack.third);
    }
    while (saved.length > 0) {
      saved.pop();
      stack.push(-1, saved.second, saved.third);
    }
  }

  #pop(): void {
    this.#stack.pop();
    if (++this.#pops % POPS_BETWEEN_CHECKS === 0) this.#statement.checkNow();
  }

  #looks(
    { ahead, negated, widest }: Extract<Instruction, { does: 'look' }>,
    place: number,
    at: number,
  ): boolean {
    const base = this.#stack.length;
    let found = false;
    if (ahead) found = this.#run(place + 1, at, undefined, UNSET) !== UNSET;
    else
      for (let from = at; from >= Math.max(0, at - widest) && !found; from--)
        found = !this.#splitsPair(from) && this.#run(place + 1, from, undefined, at) !== UNSET;
    // Restore slots only, since there are no alternatives left.
    if (negated && found) this.#back(base);
    this.#at = at;
    return found !== negated;
  }

  #refers({ group, ignoreCase }: Extract<Instruction, { does: 'reference' }>, at: number): boolean {
    const [from, to] = [this.#slots[2 * group] as number, this.#slots[2 * group + 1] as number];
    if (from === UNSET || to < from) return true;
    this.#steps -= to - from;
    this.#at = at + to - from;
    return this.#equal(from, at, to - from, ignoreCase);
  }

  /** Compares two parts of the text in pieces, because lowercasing millions of characters takes a tenth of a second. */
  #equal(first: number, second: number, length: number, ignoreCase: boolean): boolean {
    if (second + length > this.#text.length) return false;
    for (let at = 0; at < length; at += PIECE) {
      if (at > 0) this.#statement.checkNow();
      const end = Math.min(length, at + PIECE);
      const before = this.#text.slice(first + at, first + end);
      const now = this.#text.slice(second + at, second + end);
      if (before !== now && !(ignoreCase && before.toLowerCase() === now.toLowerCase())) return false;
    }
    return true;
  }
}
