import { type Interruptible, unwatched } from '../../statement/statement.ts';
import { type CharacterTest, characterTest } from './characters.ts';
import { PatternError } from './pattern-error.ts';
import type { Part, Repeat, Syntax } from './syntax.ts';

/** An instruction of `Machine`. Jump targets are indexes of instructions; slots store text positions. */
export type Instruction =
  | { readonly does: 'one'; readonly test: CharacterTest }
  | { readonly does: 'zero'; readonly regexp: RegExp }
  | { readonly does: 'split'; readonly number: number; first: number; second: number }
  | { readonly does: 'jump'; to: number }
  | { readonly does: 'save'; readonly slot: number }
  | { readonly does: 'clear'; readonly from: number; readonly to: number }
  | { readonly does: 'advanced'; readonly slot: number }
  | {
      readonly does: 'look';
      readonly ahead: boolean;
      readonly negated: boolean;
      readonly widest: number;
      next: number;
    }
  | { readonly does: 'reference'; readonly group: number; readonly ignoreCase: boolean }
  | { readonly does: 'end' };

export interface Program {
  readonly code: readonly Instruction[];
  readonly slots: number;
  readonly splits: number;
  /** True if the pattern contains back references: then the result also depends on the captured groups. */
  readonly refers: boolean;
  /**
   * True if a repeated part can match the empty text. Then a slot stores where the last repetition began, to detect
   * that it made no progress.
   */
  readonly emptiable: boolean;
}

/** Compiles a pattern. `statement` can be interrupted after each class. */
export function compileProgram(syntax: Syntax, statement: Interruptible = unwatched): Program {
  return new Compiler(syntax, statement).compile();
}

class Compiler {
  readonly #syntax: Syntax;
  readonly #statement: Interruptible;
  readonly #code: Instruction[] = [];
  readonly #ones = new Map<object, Instruction>();
  #slots: number;
  #splits = 0;
  #refers = false;
  #emptiable = false;

  constructor(syntax: Syntax, statement: Interruptible) {
    this.#syntax = syntax;
    this.#statement = statement;
    this.#slots = 2 * (syntax.groups + 1);
  }

  compile(): Program {
    this.#add(this.#syntax.part);
    this.#code.push({ does: 'end' });
    return {
      code: this.#code,
      slots: this.#slots,
      splits: this.#splits,
      refers: this.#refers,
      emptiable: this.#emptiable,
    };
  }

  #add(part: Part): void {
    if (part.kind === 'one') this.#code.push(this.#one(part));
    else if (part.kind === 'zero')
      this.#code.push({ does: 'zero', regexp: new RegExp(part.source, part.ignoreCase ? 'iuy' : 'uy') });
    else if (part.kind === 'sequence') for (const inner of part.parts) this.#add(inner);
    else if (part.kind === 'choice') this.#addChoice(part.parts);
    else if (part.kind === 'repeat') this.#addRepeat(part);
    else if (part.kind === 'group') {
      this.#code.push({ does: 'save', slot: 2 * part.number });
      this.#add(part.part);
      this.#code.push({ does: 'save', slot: 2 * part.number + 1 });
    } else if (part.kind === 'look') {
      const look = {
        does: 'look' as const,
        ahead: part.ahead,
        negated: part.negated,
        widest: widthOf(part.part),
        next: 0,
      };
      this.#code.push(look);
      this.#add(part.part);
      this.#code.push({ does: 'end' });
      look.next = this.#code.length;
    } else if (part.kind === 'reference') this.#addReference(part);
  }

  /** Caches the instruction of a part, because a repetition compiles the same part many times. */
  #one(part: Parameters<typeof characterTest>[0]): Instruction {
    const known = this.#ones.get(part);
    if (known !== undefined) return known;
    const made: Instruction = { does: 'one', test: characterTest(part, () => this.#statement.checkNow()) };
    this.#ones.set(part, made);
    return made;
  }

  #addReference({ to, ignoreCase }: Extract<Part, { kind: 'reference' }>): void {
    const group = typeof to === 'number' ? to : this.#syntax.names.get(to);
    if (group === undefined) throw new PatternError('reference to non-existent subpattern');
    this.#refers = true;
    this.#code.push({ does: 'reference', group, ignoreCase });
  }

  #split(): Extract<Instruction, { does: 'split' }> {
    const split = { does: 'split' as const, number: this.#splits++, first: 0, second: 0 };
    this.#code.push(split);
    return split;
  }

  #addChoice(parts: readonly Part[]): void {
    const ends: { to: number }[] = [];
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) {
        this.#add(part);
        break;
      }
      const split = this.#split();
      split.first = this.#code.length;
      this.#add(part);
      const end = { does: 'jump' as const, to: 0 };
      this.#code.push(end);
      ends.push(end);
      split.second = this.#code.length;
    }
    for (const end of ends) end.to = this.#code.length;
  }

  #addRepeat(repeat: Repeat): void {
    const { least, most, lazy } = repeat;
    for (let time = 0; time < least; time++) this.#addOnce(repeat);
    const endless = most === Number.POSITIVE_INFINITY;
    const emptiable = most > least && mayBeEmpty(repeat.part);
    this.#emptiable ||= emptiable;
    const splits: { first: number; second: number }[] = [];
    for (let time = least; time < (endless ? least + 1 : most); time++) {
      const at = this.#code.length;
      const split = this.#split();
      splits.push(split);
      const slot = emptiable ? this.#slots++ : -1;
      if (emptiable) this.#code.push({ does: 'save', slot });
      this.#addOnce(repeat);
      if (emptiable) this.#code.push({ does: 'advanced', slot });
      if (endless) this.#code.push({ does: 'jump', to: at });
      split.first = at + 1;
    }
    for (const split of splits) {
      split.second = this.#code.length;
      if (lazy) [split.first, split.second] = [split.second, split.first];
    }
  }

  /** Adds one repetition, which first clears the groups in the part, as in JavaScript. */
  #addOnce({ part, groups: [from, to] }: Repeat): void {
    if (to > from) this.#code.push({ does: 'clear', from: 2 * from, to: 2 * to });
    this.#add(part);
  }
}

/** Returns the maximum number of UTF-16 code units that a part can match. */
function widthOf(part: Part): number {
  switch (part.kind) {
    case 'one':
      return 2;
    case 'reference':
      return Number.POSITIVE_INFINITY;
    case 'sequence':
      return part.parts.reduce((sum, inner) => sum + widthOf(inner), 0);
    case 'choice':
      return Math.max(...part.parts.map(widthOf));
    case 'repeat':
      return part.most === 0 ? 0 : widthOf(part.part) * part.most || 0;
    case 'group':
      return widthOf(part.part);
    default:
      return 0;
  }
}

function mayBeEmpty(part: Part): boolean {
  switch (part.kind) {
    case 'one':
      return false;
    case 'sequence':
      return part.parts.every(mayBeEmpty);
    case 'choice':
      return part.parts.some(mayBeEmpty);
    case 'repeat':
      return part.least === 0 || mayBeEmpty(part.part);
    case 'group':
      return mayBeEmpty(part.part);
    default:
      return true;
  }
}
