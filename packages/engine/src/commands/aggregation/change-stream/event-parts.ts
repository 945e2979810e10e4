import type { PlainObject } from '@portolan/foundation/plain-object';
import type { RawDocument } from '../../../bson/raw.ts';

/** An event without its resume token and times. */
export interface EventParts {
  readonly operationType: string;
  readonly body: PlainObject;
  readonly documentKey?: RawDocument | undefined;
  /** True if this is the last event of the stream. */
  readonly ends?: boolean;
}
