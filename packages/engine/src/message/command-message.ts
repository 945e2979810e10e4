import type { RawDocument } from '../bson/raw.ts';

/** A command as received in a message. */
export interface CommandMessage {
  /** The command's name in the message: its own name or an alias. */
  readonly name: string;
  /** `$db` */
  readonly database: string;
  /** The command document (OP_MSG section of kind 0). */
  readonly body: RawDocument;
  /** Document sequences (kind 1) by name: `documents`, `updates`, `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly RawDocument[]>;
}
