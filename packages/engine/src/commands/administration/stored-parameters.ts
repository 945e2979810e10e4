import type { Value } from '../../bson/value.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';

/**
 * Changes stored parameters and loads them. Loads them again if the change is rolled back. Must be called
 * within `store.write`.
 */
export function changeStoredParameters({ store, parameters }: ClusterContext, change: () => void): void {
  store.undoing(() => parameters.load());
  change();
  parameters.load();
}

/** Returns the time of the last oplog entry. */
export function newestTime({ store }: ClusterContext): Value {
  return timestampAt(store.oplog.last);
}
