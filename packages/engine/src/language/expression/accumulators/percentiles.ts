import { toNumber } from '../../../bson/numbers/convert.ts';
import { isNumber, type Value } from '../../../bson/value.ts';
import type { Statement } from '../../../statement/statement.ts';
import { checking } from '../entries.ts';
import type { Expression, Scope } from '../expression.ts';
import type { Accumulator } from './accumulator.ts';
import { MemoryUsage } from './memory-usage.ts';
import { SortedNumbers } from './sorted-numbers.ts';

/** Keeps the numbers of a group or window, and computes percentiles of them. */
export class Percentiles implements Accumulator {
  readonly #input: Expression;
  readonly #finish: (numbers: SortedNumbers) => Value;
  readonly #statement: Statement;
  readonly #held: MemoryUsage;
  #sorted = new SortedNumbers([]);
  /** The numbers since the last result. */
  #added: number[] = [];

  constructor(
    input: Expression,
    finish: (numbers: SortedNumbers) => Value,
    statement: Statement,
    name: string,
  ) {
    this.#input = input;
    this.#finish = finish;
    this.#statement = statement;
    this.#held = new MemoryUsage(name);
  }

  get size(): number {
    return this.#held.bytes;
  }

  add(scope: Scope): void {
    const number = this.numberIn(scope);
    if (number !== undefined) this.keep(number);
  }

  /** Returns the number of a document. Returns undefined if its value is ignored. */
  protected numberIn(scope: Scope): number | undefined {
    const value = this.#input.evaluate(scope);
    if (value === undefined || !isNumber(value)) return undefined;
    const number = toNumber(value);
    return Number.isNaN(number) ? undefined : number;
  }

  protected keep(number: number): void {
    this.#added.push(number);
    this.#held.growBy(Float64Array.BYTES_PER_ELEMENT);
  }

  protected remove(number: number): void {
    this.#sort();
    this.#sorted.remove(number);
    this.#held.bytes -= Float64Array.BYTES_PER_ELEMENT;
  }

  result(): Value {
    this.#sort();
    return this.#finish(this.#sorted);
  }

  #sort(): void {
    if (this.#sorted.length === 0) {
      this.#sorted = new SortedNumbers(this.#added.sort(checking(this.#statement, (a, b) => a - b)));
    } else {
      for (const number of this.#added) {
        this.#statement.check();
        this.#sorted.insert(number);
      }
    }
    this.#added = [];
  }
}

/** Percentiles of a window from whose start documents are removed. */
export class SlidingPercentiles extends Percentiles {
  /** The number of each document, in the order of the documents. Undefined for documents without a number. */
  #numbers: (number | undefined)[] = [];
  /** The number of documents at the start of `#numbers` that have been removed. */
  #removed = 0;

  override add(scope: Scope): void {
    const number = this.numberIn(scope);
    this.#numbers.push(number);
    if (number !== undefined) this.keep(number);
  }

  removeFirst(): void {
    const number = this.#numbers[this.#removed++];
    if (number !== undefined) this.remove(number);
    if (this.#removed < this.#numbers.length / 2) return;
    this.#numbers = this.#numbers.slice(this.#removed);
    this.#removed = 0;
  }
}
