import type { RawDocument } from '../bson/raw.ts';

/** A command in a received message. */
export interface CommandMessage {
  /** The name of the command in the message. It may be an alias. */
  readonly name: string;
  /** The value of `$db`. */
  readonly database: string;
  /** The command document (an OP_MSG section of kind 0). */
  readonly body: RawDocument;
  /** Document sequences (sections of kind 1) by name, such as `documents`, `updates` and `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly RawDocument[]>;
}
