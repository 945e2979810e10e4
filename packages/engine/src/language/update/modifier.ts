import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Environment } from '../expression/environment.ts';

/** What one modifier does at one path. */
export interface Modifier {
  /** Whether it makes the field, and the documents on the way to it, where they are not there. */
  creates(context: UpdateContext): boolean;
  /** `current` is `undefined` where the field is not there. */
  apply(current: Value | undefined, context: UpdateContext): Outcome;
  /** Documents inside each other in the value that it writes; 0 for values that are no documents. */
  readonly depth: number;
  /** How many entries it puts at the end of an array, where it does nothing else. */
  readonly appends?: number;
}

/** The new value, or that the field stays as it is or goes. */
export type Outcome = Value | 'keep' | 'remove';

export interface UpdateContext {
  /** The document before the update. */
  readonly document: RawDocument;
  /** The document is being made by an upsert. */
  readonly inserting: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One path of an update and what happens there. */
export interface UpdateLeaf {
  readonly path: string;
  readonly modifier: Modifier;
}

/** Checks the operand of one path; throws what the server answers to a wrong one. */
export type CompileModifier = (operand: Value, path: string, environment: Environment) => Modifier;

export type ModifierTable = Readonly<Record<string, CompileModifier>>;
