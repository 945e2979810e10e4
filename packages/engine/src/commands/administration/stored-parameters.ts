import type { Value } from '../../bson/value.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Changes stored parameters and reloads them. They are also reloaded after a rollback. Must run inside `write`. */
export function changeStoredParameters({ store, parameters }: ClusterContext, change: () => void): void {
  store.undoing(() => parameters.load());
  change();
  parameters.load();
}

/** Returns the time of the last oplog entry. */
export function newestTime({ store }: ClusterContext): Value {
  return timestampAt(store.oplog.last);
}
