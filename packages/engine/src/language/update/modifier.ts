import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';

/** The effect of one modifier at one path. */
export interface Modifier {
  /** True if the modifier creates a missing field, together with the documents on its path. */
  creates(context: UpdateContext): boolean;
  /** Applies the modifier to a field. `current` is its value; `undefined` if the field is missing. */
  apply(current: Value | undefined, context: UpdateContext): Outcome;
  /** True if the modifier fails where its path leads through a scalar, or to a named field of an array. */
  readonly failsWhenBlocked?: boolean;
  /** The nesting depth of the written value; 0 for a scalar. */
  readonly depth: number;
  /** The number of entries that the modifier appended to an array, if it did nothing else. */
  readonly appends?: number;
}

/** The new value, or 'keep' or 'remove' for the field. */
export type Outcome = Value | 'keep' | 'remove';

export interface UpdateContext {
  /** The document before the update. */
  readonly document: RawDocument;
  /** True if an upsert creates the document. */
  readonly inserting: boolean;
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /** The statement that applies the update. */
  readonly statement: Statement;
}

/** One path of an update with its modifier. */
export interface UpdateLeaf {
  readonly path: string;
  readonly modifier: Modifier;
}

/** Validates and compiles the operand for one path; throws the server's error for an invalid operand. */
export type CompileModifier = (operand: Value, path: string, environment: Environment) => Modifier;

export type ModifierTable = Readonly<Record<string, CompileModifier>>;
