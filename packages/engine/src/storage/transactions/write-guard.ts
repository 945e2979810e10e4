import type { WriteGuard } from '../oplog/write-guard.ts';
import { idKey } from '../records/id-key.ts';
import { collectionPrefix, documentName, type HeldKeys, namespaceName } from './held-keys.ts';

/**
 * Thrown by a write outside a transaction that conflicts with an open transaction. The write waits until that
 * transaction ends.
 */
export class WriteBlocked extends Error {
  /** Returns true when the conflict is gone. */
  readonly isFree: () => boolean;

  constructor(isFree: () => boolean) {
    super('an open transaction has written the same');
    this.name = 'WriteBlocked';
    this.isFree = isFree;
  }
}

/** Blocks writes outside transactions to documents and collections that open transactions have written. */
export function writeGuard(held: HeldKeys): WriteGuard {
  return {
    document({ number }, doc) {
      if (held.isEmpty) return;
      const name = documentName(number, idKey(doc));
      if (held.isHeld(name)) throw new WriteBlocked(() => !held.isHeld(name));
    },
    collection({ number, database, name }) {
      if (held.isEmpty) return;
      const [namespace, prefix] = [namespaceName(database, name), collectionPrefix(number)];
      const isFree = () => !held.isHeld(namespace) && !held.holdsWithin(prefix);
      if (!isFree()) throw new WriteBlocked(isFree);
    },
  };
}
