import type { RawDocument } from '../../../bson/raw.ts';

/** What the event of a change says of it, before it has its token and its times. */
export interface EventParts {
  readonly operationType: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly documentKey?: RawDocument | undefined;
  /** Nothing follows in the stream. */
  readonly ends?: boolean;
}
