import type { Value } from '../../bson/value.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Inside `write`: changes what the cluster's parameters are read from, and reads them again, also when it is undone. */
export function changingParameters({ store, parameters }: ClusterContext, change: () => void): void {
  store.undoing(() => parameters.load());
  change();
  parameters.load();
}

/** The time of the newest change. */
export function newestTime({ store }: ClusterContext): Value {
  return timestampAt(store.oplog.last);
}
