import type { MessagePort } from 'node:worker_threads';
import type { PlainObject } from '@portolan/foundation/plain-object';

/**
 * Messages between a query thread and the search nodes of a cluster. The query thread is in the middle of a statement,
 * and so waits for answers in shared memory instead of for events.
 */

export type SearchStage = '$search' | '$searchMeta' | '$vectorSearch';

/** Query thread to node. */
export type NodeRequest =
  | {
      readonly kind: 'search';
      /** Unique on its port until the search has ended. */
      readonly searchId: number;
      readonly stage: SearchStage;
      readonly spec: Uint8Array;
      /** The UUID of the collection. */
      readonly uuid: Uint8Array;
      /** The database of the collections with synonyms. */
      readonly database: string;
      readonly state: SharedArrayBuffer;
    }
  /** Requests the next results of a search. */
  | { readonly kind: 'more'; readonly searchId: number }
  /** Ends a search. */
  | { readonly kind: 'end'; readonly searchId: number };

/** Node to query thread: the answer to `search` or `more`. */
export type NodeAnswer = { readonly searchId: number } & (
  | {
      /** A BSON document; absent after the first answer, and for vectors. */
      readonly meta?: Uint8Array | undefined;
      /** Concatenated BSON documents; see `found.ts`. */
      readonly found: Uint8Array;
      readonly ended: boolean;
    }
  | {
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly more: PlainObject;
      };
    }
);

/** A query thread's link to a node. */
export interface NodeLink {
  readonly port: MessagePort;
  /** A number that becomes 0 when the node accepts no more requests. */
  readonly alive: SharedArrayBuffer;
}

/** Positions of the numbers in the shared memory of a search. */
export const ANSWERS = 0;
export const GIVEN_UP = 1;

/** Shared memory of a search: the number of answers, and whether the caller has given up. */
export function newSearchState(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}
