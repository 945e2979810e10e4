import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf } from '../../bson/raw.ts';
import { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { OVERHEAD } from '../workspace.ts';

/** Memory is counted in steps of this many bytes. */
const STEP_BYTES = 1 << 16;

/** Builds an array entry by entry; its memory counts as held until the enclosing expression has its value. */
export class ArrayBuilder {
  readonly #statement: Statement;
  readonly #name: string;
  readonly #writer = new DocumentWriter();
  readonly #start: number;
  #counted = 0;
  /** The number of entries. */
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

/** An array of these values. */
export function arrayFrom(values: Iterable<Value>, statement: Statement, name: string): Value {
  const builder = new ArrayBuilder(statement, name);
  for (const value of values) builder.add(value);
  return builder.finish();
}

/** The entries of an array as a list in memory. */
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

/** The entries of an array that the caller has already in memory, such as a part of a command. */
export function entriesIn(array: Value, statement: Statement): Value[] {
  const values: Value[] = [];
  for (const entry of documentOf(array)) {
    statement.check();
    values.push(entry);
  }
  return values;
}

/** A comparison that yields to other operations. */
export function checking<T>(statement: Statement, compare: (a: T, b: T) => number): (a: T, b: T) => number {
  return (a, b) => {
    statement.check();
    return compare(a, b);
  };
}
