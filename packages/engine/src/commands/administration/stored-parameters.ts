import type { Value } from '../../bson/value.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Must run inside `write`. Changes stored parameters and reloads them, which also happens after a rollback. */
export function changeStoredParameters({ store, parameters }: ClusterContext, change: () => void): void {
  store.undoing(() => parameters.load());
  change();
  parameters.load();
}

/** Returns the time of the last oplog entry. */
export function newestTime({ store }: ClusterContext): Value {
  return timestampAt(store.oplog.last);
}
