import type { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../expression/environment.ts';
import type { Filter } from '../filter/filter.ts';
import type { NewId } from '../insert.ts';

/** A compiled update. */
export interface Update {
  readonly kind: 'replacement' | 'modifiers' | 'pipeline';
  /**
   * The document after the update. Every byte of a field that the update does not name stays as it is. The
   * filter is the one by which the document was found; it says what the positional `$` stands for.
   */
  apply(doc: RawDocument, filter?: Filter): UpdateResult;
  /** The document that an upsert makes when nothing matched, ready to be stored. */
  insertFrom(filter: Filter, newId: NewId): Uint8Array;
}

export interface UpdateResult {
  readonly bytes: Uint8Array;
  /** False when the document was as the update wants it before; then `bytes` are the old ones. */
  readonly modified: boolean;
  /**
   * What turned the document into this one, as the oplog tells it; `undefined` where the oplog has the whole document.
   * CreatedCollection when asked for.
   */
  readonly difference?: () => RawDocument | undefined;
}

export interface UpdateOptions {
  /** What `$[name]` stands for. */
  readonly arrayFilters?: readonly RawDocument[];
  /** What expressions of a pipeline see besides the document. */
  readonly environment?: Environment;
  /** Milliseconds since the epoch, for `$currentDate`. */
  readonly now?: () => number;
}
