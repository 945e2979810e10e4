import type { ClusterContext } from '../commands/context/cluster.ts';
import type { Cursors } from '../commands/context/cursors.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';

/** The cluster with another view of its data; `opened` takes the ids of the cursors that are opened over it. */
export function contextWithin(
  cluster: ClusterContext,
  store: ClusterStore,
  opened: Set<bigint>,
  transaction?: bigint,
): ClusterContext {
  const cursors = withOpen(cluster.cursors, opened, transaction);
  const replaced: Partial<ClusterContext> = { store, cursors };
  return new Proxy(cluster, {
    get: (target, name) => Reflect.get(Object.hasOwn(replaced, name) ? replaced : target, name),
  });
}

function withOpen(cursors: Cursors, opened: Set<bigint>, transaction: bigint | undefined): Cursors {
  const open: Cursors['open'] = (cursor) => {
    const id = cursors.open(transaction === undefined ? cursor : { ...cursor, transaction });
    opened.add(id);
    return id;
  };
  return new Proxy(cursors, {
    get(target, name) {
      if (name === 'open') return open;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
