import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf } from '../../bson/raw.ts';
import { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { OVERHEAD } from '../workspace.ts';

/** Memory is counted after each block of this many bytes. */
const STEP_BYTES = 1 << 16;

/**
 * Builds an array entry by entry. The statement counts its memory until the enclosing expression has been evaluated.
 */
export class ArrayBuilder {
  readonly #statement: Statement;
  readonly #name: string;
  readonly #writer = new DocumentWriter();
  readonly #start: number;
  #counted = 0;
  length = 0;

  constructor(statement: Statement, name: string) {
    this.#statement = statement;
    this.#name = name;
    this.#start = this.#writer.begin();
  }

  add(value: Value): void {
    this.#statement.check();
    const writer = this.#writer;
    writer.entry(this.length++, value);
    if (writer.length - this.#counted < STEP_BYTES) return;
    this.#statement.hold(writer.length - this.#counted, this.#name);
    this.#counted = writer.length;
  }

  finish(): Value {
    this.#writer.end(this.#start);
    const bytes = this.#writer.finish();
    return new Value(bsonTypes.array, bytes, 0, bytes.length);
  }
}

/** Builds an array of the values. */
export function arrayFrom(values: Iterable<Value>, statement: Statement, name: string): Value {
  const builder = new ArrayBuilder(statement, name);
  for (const value of values) builder.add(value);
  return builder.finish();
}

/** Returns the entries as a list in memory. The statement counts this memory. */
export function listOf(array: Value, statement: Statement, name: string): Value[] {
  const values: Value[] = [];
  let counted = 0;
  for (const entry of documentOf(array)) {
    statement.check();
    values.push(entry);
    if ((values.length - counted) * OVERHEAD < STEP_BYTES) continue;
    statement.hold((values.length - counted) * OVERHEAD, name);
    counted = values.length;
  }
  return values;
}

/** Wraps a comparison so that the statement can yield to other operations between two calls. */
export function checking<T>(statement: Statement, compare: (a: T, b: T) => number): (a: T, b: T) => number {
  return (a, b) => {
    statement.check();
    return compare(a, b);
  };
}
