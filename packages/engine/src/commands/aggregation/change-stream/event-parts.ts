import type { RawDocument } from '../../../bson/raw.ts';

/** An event without its token and times. */
export interface EventParts {
  readonly operationType: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly documentKey?: RawDocument | undefined;
  /** The event is the last one of the stream. */
  readonly ends?: boolean;
}
