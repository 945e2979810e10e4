import type { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { NewId } from '../insert.ts';

/** A compiled update. */
export interface Update {
  readonly kind: 'replacement' | 'modifiers' | 'pipeline';
  /**
   * The document after the update. Fields that the update does not name are preserved byte for byte. `filter`
   * is the one that matched the document and determines the positional `$`.
   */
  apply(doc: RawDocument, filter?: Filter): UpdateResult;
  /** The document that an upsert inserts, ready for storage. */
  insertFrom(filter: Filter, newId: NewId): Uint8Array;
}

export interface UpdateResult {
  readonly bytes: Uint8Array;
  /** False if the update changed nothing; then `bytes` are the original ones. */
  readonly modified: boolean;
  /** Computes the oplog's difference from the original; `undefined` if the oplog records the whole document. */
  readonly difference?: () => RawDocument | undefined;
}

export interface UpdateOptions {
  /** Filters for `$[name]`. */
  readonly arrayFilters?: readonly RawDocument[];
  /** The environment of pipeline expressions. */
  readonly environment?: Environment;
  /** Milliseconds since the epoch, for `$currentDate`. */
  readonly now?: () => number;
}
