import type { ClusterContext } from '../commands/context/cluster.ts';
import type { Cursors } from '../commands/context/cursors.ts';
import { SearchNodes } from '../search/nodes/search-nodes.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';

/**
 * Returns the context of a cluster with another store, such as that of a transaction or a snapshot. The ids
 * of cursors that are opened through this context are added to `opened`.
 */
export function contextWithin(
  cluster: ClusterContext,
  store: ClusterStore,
  opened: Set<bigint>,
  transaction?: bigint,
): ClusterContext {
  const { sessions, transactions, operations, counters, accounts, parameters, observer } = cluster;
  const { clock, random, pipelineEnvironment, scripts } = cluster;
  return {
    // A getter, because members may change while a cursor opened here is still in use.
    get topology() {
      return cluster.topology;
    },
    get electedAt() {
      return cluster.electedAt;
    },
    store,
    cursors: openingInto(opened, cluster.cursors, transaction),
    search: cluster.search,
    // A transaction uses no search nodes, because they see only committed data.
    searchNodes: new SearchNodes(),
    searchIndexesChanged: cluster.searchIndexesChanged,
    sessions,
    transactions,
    operations,
    counters,
    accounts,
    accountsChanged: () => cluster.accountsChanged(),
    withhold: cluster.withhold,
    parameters,
    observer,
    clock,
    random,
    pipelineEnvironment,
    scripts,
  };
}

function openingInto(opened: Set<bigint>, cursors: Cursors, transaction: bigint | undefined): Cursors {
  return {
    open(cursor) {
      const id = cursors.open(transaction === undefined ? cursor : { ...cursor, transaction });
      opened.add(id);
      return id;
    },
    missing: (id) => cursors.missing(id),
    find: (id) => cursors.find(id),
    reading: (id, read) => cursors.reading(id, read),
    get timedOut() {
      return cursors.timedOut;
    },
    list: () => cursors.list(),
    close: (id) => cursors.close(id),
    closeSession: (session) => cursors.closeSession(session),
  };
}
