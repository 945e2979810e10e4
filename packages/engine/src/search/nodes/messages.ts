import type { MessagePort } from 'node:worker_threads';

/**
 * What a query thread and the threads of a cluster's search nodes say to each other. Whoever asks is in the middle of a
 * statement, so answers are waited for in shared memory and not by events.
 */

export type SearchStage = '$search' | '$searchMeta' | '$vectorSearch';

/** Query thread to node. */
export type NodeRequest =
  | {
      readonly kind: 'ask';
      /** Unique on its port until it has ended. */
      readonly ask: number;
      readonly stage: SearchStage;
      readonly spec: Uint8Array;
      /** Of the collection. */
      readonly uuid: Uint8Array;
      /** Of the collections with synonyms. */
      readonly database: string;
      readonly state: SharedArrayBuffer;
    }
  /** The next documents of a search, which were not asked for together with it. */
  | { readonly kind: 'more'; readonly ask: number }
  /** Nobody wants more. */
  | { readonly kind: 'end'; readonly ask: number };

/** Node to query thread: the answer to `ask` or `more`. */
export type NodeAnswer = { readonly ask: number } & (
  | {
      /** A BSON document; absent behind the first answer, and of vectors. */
      readonly meta?: Uint8Array | undefined;
      /** BSON documents, one behind the other: see `found.ts`. */
      readonly found: Uint8Array;
      readonly ended: boolean;
    }
  | {
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly more: Readonly<Record<string, unknown>>;
      };
    }
);

/** How a query thread reaches a node. */
export interface NodeLink {
  readonly port: MessagePort;
  /** One number, which is 0 from the moment on when the node takes nothing more. */
  readonly alive: SharedArrayBuffer;
}

/** Places of the numbers in the memory of an ask. */
export const ANSWERS = 0;
export const GIVEN_UP = 1;

/** What both sides of an ask see: how many answers there are, and whether nobody waits for them any more. */
export function newAskState(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}
