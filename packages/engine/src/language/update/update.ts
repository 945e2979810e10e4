import type { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { NewId } from '../insert.ts';

/** A compiled update. */
export interface Update {
  readonly kind: 'replacement' | 'modifiers' | 'pipeline';
  /**
   * Applies the update. Fields that it does not name are preserved byte for byte. `filter` is the filter that matched
   * the document. The filter determines the index that `$` denotes.
   */
  apply(doc: RawDocument, filter?: Filter): UpdateResult;
  /** Returns the document that an upsert inserts, ready for storage. */
  insertFrom(filter: Filter, newId: NewId): Uint8Array;
}

export interface UpdateResult {
  readonly bytes: Uint8Array;
  /** False if the update has changed nothing. `bytes` are then those of the original document. */
  readonly modified: boolean;
  /** Computes the difference for the oplog; returns `undefined` if the oplog must record the whole document. */
  readonly difference?: () => RawDocument | undefined;
}

export interface UpdateOptions {
  /** The array filters, to which `$[name]` refers. */
  readonly arrayFilters?: readonly RawDocument[];
  /** The environment of pipeline expressions. */
  readonly environment?: Environment;
  /** The time for `$currentDate`, in milliseconds since the epoch. */
  readonly now?: () => number;
}
