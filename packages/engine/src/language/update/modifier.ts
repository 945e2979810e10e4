import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';

/** The effect of one modifier at one path. */
export interface Modifier {
  /** True if the modifier creates a missing field and the documents on the path. */
  creates(context: UpdateContext): boolean;
  /** `current` is `undefined` if the field is missing. */
  apply(current: Value | undefined, context: UpdateContext): Outcome;
  /** The nesting depth of the written value; 0 for a scalar. */
  readonly depth: number;
  /** The number of entries appended to an array, if that is the only effect. */
  readonly appends?: number;
}

/** The new value, or whether the field is kept or removed. */
export type Outcome = Value | 'keep' | 'remove';

export interface UpdateContext {
  /** The document before the update. */
  readonly document: RawDocument;
  /** The document is created by an upsert. */
  readonly inserting: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The statement that applies the update. */
  readonly statement: Statement;
}

/** One path of an update with its modifier. */
export interface UpdateLeaf {
  readonly path: string;
  readonly modifier: Modifier;
}

/** Validates the operand of one path; throws the server's error for an invalid one. */
export type CompileModifier = (operand: Value, path: string, environment: Environment) => Modifier;

export type ModifierTable = Readonly<Record<string, CompileModifier>>;
