import type { ServiceClock } from '@portolan/foundation/clock';
import type { Ids } from '@portolan/foundation/ids';
import type { Log } from '@portolan/foundation/log';
import type { Kysely } from 'kysely';
import type { CacheKey } from './cache-keys.ts';
import type { Connection, Database } from './database.ts';
import type { ReadTx, TopicHandler, Tx } from './store.ts';
import type { Touches } from './touches.ts';

export interface TransactionParts {
  readonly database: Database;
  readonly clock: ServiceClock;
  readonly ids: Ids;
  readonly handlers: readonly TopicHandler[];
  readonly touched: Touches;
  readonly log: Log;
}

/** Creates the transactions of `store.read` and `store.write`. */
export function transactions(parts: TransactionParts) {
  const { database, ids, touched } = parts;
  const handlers = Map.groupBy(parts.handlers, (handler) => handler.topic);

  function read(db: Connection): ReadTx {
    return {
      from: <Tables>() => db as Kysely<Tables>,
      now: parts.clock.now(),
      capabilities: database.capabilities,
      machineTime: () => database.machineTime(),
    };
  }

  function write(db: Connection): { tx: Tx; committed: () => void } {
    const afterwards: Array<() => void> = [];
    const keys = new Set<CacheKey>();
    const tx: Tx = {
      ...read(db),
      id: () => ids.next(),
      afterCommit: (run) => void afterwards.push(run),
      touch(...touching) {
        for (const key of touching) keys.add(key);
      },
      async publish(topic, value) {
        for (const handler of handlers.get(topic.name) ?? []) await handler.handle(tx, value as never);
      },
    };
    function committed() {
      for (const run of [() => touched.announce(keys), ...afterwards]) {
        try {
          run();
        } catch (error) {
          // Continue after the error, because the transaction is committed and its other callbacks must run.
          parts.log.error({ reason: String(error) }, 'a callback after a commit failed');
        }
      }
    }
    return { tx, committed };
  }

  return { read, write };
}
