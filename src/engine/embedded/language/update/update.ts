import type { Filter } from '../filter/filter.ts';
import type { NewId } from '../insert.ts';
import type { RawDocument } from '../raw.ts';

/** A compiled update. */
export interface Update {
  readonly kind: 'replacement' | 'modifiers';
  /** The document after the update. Every byte of a field that the update does not name stays as it is. */
  apply(doc: RawDocument): UpdateResult;
  /** The document that an upsert makes when nothing matched, ready to be stored. */
  insertFrom(filter: Filter, newId: NewId): Uint8Array;
}

export interface UpdateResult {
  readonly bytes: Uint8Array;
  /** False when the document was as the update wants it before; then `bytes` are the old ones. */
  readonly modified: boolean;
}
