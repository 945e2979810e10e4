import type { FaultTarget } from '../../api/index.ts';
import { cache } from '../../store/index.ts';
import { NotYet, PermanentFailure } from '../../tasks/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import type { FaultInjection } from '../family.ts';
import type { Services } from '../services.ts';
import { ALL, faultKeys, triggerFault } from './changes.ts';
import { allFaults, type FaultRow } from './rows.ts';
import { EVERY_OPERATION, responseFault } from './rules.ts';
import type { FaultRule } from './schema.ts';
import { workOf } from './works.ts';

/** Interval at which delayed work checks whether its fault still exists. */
const HOLD_MS = 500;

/** Injects declared faults into requests and tasks. While no fault is declared, this costs one map lookup. */
export function faultInjection(services: Services): FaultInjection {
  const { store, log } = services;
  const cached = cache({ ...services, keys: faultKeys, load: allFaults });
  const rows = () => cached.peek(ALL) ?? cached.get(ALL);
  cached.get(ALL).then(
    ({ length }) =>
      length > 0 && log.warn({ faults: length }, 'declared faults are active: some failures are intentional'),
    // Ignore errors. If the store is unreachable, other code that uses the store reports it.
    () => {},
  );

  /** Returns the first fault that is triggered. Counts one call for this fault and for each fault before it. */
  async function firstTriggered(among: readonly FaultRow[]): Promise<FaultRow | undefined> {
    for (const row of among) if (await store.write((tx) => triggerFault(tx, row.id))) return row;
    return undefined;
  }

  async function injectIntoRequest(all: readonly FaultRow[], request: FaultTarget) {
    const met = await firstTriggered(all.filter(({ rule }) => concernsRequest(rule, request)));
    if (met?.rule.request === undefined) return undefined;
    log.warn({ fault: met.id, operation: request.operation }, 'a declared fault was injected into a request');
    const { delayMilliseconds = 0, disconnect } = met.rule.request;
    return { by: met.id, delayMilliseconds, disconnect, fault: responseFault(met.rule.request) };
  }

  return {
    request(request) {
      const all = rows();
      if (!(all instanceof Promise)) return all.length === 0 ? undefined : injectIntoRequest(all, request);
      return all.then((loaded) => injectIntoRequest(loaded, request));
    },
    async work({ kind, payload }) {
      const work = workOf(kind);
      if (work === undefined) return;
      // If instances share the store, read the faults again. A task may start before this instance's cache contains a
      // fault that another instance has declared.
      const declared = store.capabilities.shared ? store.read(allFaults) : rows();
      const all = (await declared).filter(({ rule }) => rule.work?.kinds.includes(work));
      if (all.length === 0) return;
      const { clusterId } = payload as ClusterWork;
      const cluster = await store.read((tx) => clusterById(tx, clusterId));
      const met = await firstTriggered(
        all.filter(({ rule }) => fits(rule, { groupId: cluster?.groupId, clusterName: cluster?.name })),
      );
      if (met === undefined) return;
      log.warn({ fault: met.id, work, cluster: clusterId }, 'a declared fault was injected into a task');
      if (met.rule.work?.outcome === 'HELD') throw new NotYet(HOLD_MS, 'held by a declared fault');
      throw new PermanentFailure('a declared fault');
    },
    close: () => cached.close(),
  };
}

function concernsRequest(rule: FaultRule, { operation, tag, params }: FaultTarget): boolean {
  const { operations = [] } = rule.request ?? {};
  const isNamed = [EVERY_OPERATION, operation, tag].some((name) => operations.includes(name));
  return isNamed && fits(rule, { groupId: params.groupId, clusterName: params.clusterName ?? params.name });
}

type Target = { readonly [K in 'groupId' | 'clusterName']: string | undefined };

function fits({ groupId, clusterName }: FaultRule, target: Target): boolean {
  if (groupId !== undefined && groupId !== target.groupId) return false;
  return clusterName === undefined || clusterName === target.clusterName;
}
