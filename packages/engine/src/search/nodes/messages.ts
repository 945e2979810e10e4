import type { MessagePort } from 'node:worker_threads';
import type { PlainObject } from '@portolan/foundation/plain-object';

/**
 * This file defines the messages between a query thread and the search nodes of a cluster. While the query thread
 * executes a statement, it cannot process events. Therefore it reads the number of replies from shared memory.
 */

export type SearchStage = '$search' | '$searchMeta' | '$vectorSearch';

/** A message from the query thread to a node. */
export type NodeRequest =
  | {
      readonly kind: 'search';
      /** An id that no other open search on the port has. */
      readonly searchId: number;
      readonly stage: SearchStage;
      readonly spec: Uint8Array;
      /** The UUID of the collection. */
      readonly uuid: Uint8Array;
      /** The database that contains the collections of synonyms. */
      readonly database: string;
      readonly state: SharedArrayBuffer;
    }
  /** Requests the next results of a search. */
  | { readonly kind: 'more'; readonly searchId: number }
  /** Ends a search. */
  | { readonly kind: 'end'; readonly searchId: number };

/** A message from the node to the query thread, the reply to `search` or `more`. */
export type NodeAnswer = { readonly searchId: number } & (
  | {
      /** A BSON document, present only in the first reply of `$search` and `$searchMeta`. */
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

/** The query thread's connection to a node. */
export interface NodeLink {
  readonly port: MessagePort;
  /** Contains a number that becomes 0 when the node accepts no more requests. */
  readonly alive: SharedArrayBuffer;
}

/** The indexes of the numbers in the shared memory of a search. */
export const ANSWERS = 0;
export const GIVEN_UP = 1;

/** Creates the shared memory of a search: the number of replies, and whether the caller has stopped waiting. */
export function newSearchState(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}
