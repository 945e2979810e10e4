import type { RawDocument } from '../bson/raw.ts';

/** A command as its message brings it. */
export interface CommandMessage {
  /** As the caller has written it: the command's own name, or one of its aliases. */
  readonly name: string;
  /** `$db` */
  readonly database: string;
  /** The command document as it came (OP_MSG section of kind 0). */
  readonly body: RawDocument;
  /** Document sequences (kind 1) by name: `documents`, `updates`, `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly RawDocument[]>;
}
