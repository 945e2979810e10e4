import type { Value } from '../../bson/value.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Within `write`: changes stored parameters and reloads them, also after a rollback. */
export function changeStoredParameters({ store, parameters }: ClusterContext, change: () => void): void {
  store.undoing(() => parameters.load());
  change();
  parameters.load();
}

/** The time of the last oplog entry. */
export function newestTime({ store }: ClusterContext): Value {
  return timestampAt(store.oplog.last);
}
