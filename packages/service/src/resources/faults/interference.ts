import type { FaultTarget } from '../../api/index.ts';
import { cache } from '../../store/index.ts';
import { NotYet, PermanentFailure } from '../../tasks/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import type { Interference } from '../family.ts';
import type { Services } from '../services.ts';
import { ALL, faultKeys, meetFault } from './changes.ts';
import { allFaults, type FaultRow } from './rows.ts';
import { answerOf, EVERY_OPERATION } from './rules.ts';
import type { FaultRule } from './schema.ts';
import { workOf } from './works.ts';

/** How soon work that is held looks whether it still is. */
const HOLD_MS = 500;

/** What stands in the way of requests and tasks. While nothing is declared, all that it costs is one look into a map. */
export function interference(services: Services): Interference {
  const { store, log } = services;
  const kept = cache({ ...services, keys: faultKeys, load: allFaults });
  const rows = () => kept.peek(ALL) ?? kept.get(ALL);
  kept.get(ALL).then(
    ({ length }) =>
      length > 0 && log.warn({ faults: length }, 'faults are declared: not all that fails is meant well'),
    // An unreachable store is told by those who need it.
    () => {},
  );

  /** The first of these that is met; every one before it counts a call. */
  async function firstMet(among: readonly FaultRow[]): Promise<FaultRow | undefined> {
    for (const row of among) if (await store.write((tx) => meetFault(tx, row.id))) return row;
    return undefined;
  }

  async function meetRequest(all: readonly FaultRow[], request: FaultTarget) {
    const met = await firstMet(all.filter(({ rule }) => concernsRequest(rule, request)));
    if (met?.rule.request === undefined) return undefined;
    log.warn({ fault: met.id, operation: request.operation }, 'a request meets a declared fault');
    const { delayMilliseconds = 0, disconnect } = met.rule.request;
    return { by: met.id, delayMilliseconds, disconnect, fault: answerOf(met.rule.request) };
  }

  return {
    request(request) {
      const all = rows();
      if (!(all instanceof Promise)) return all.length === 0 ? undefined : meetRequest(all, request);
      return all.then((loaded) => meetRequest(loaded, request));
    },
    async work({ kind, payload }) {
      const work = workOf(kind);
      if (work === undefined) return;
      // A task may begin sooner than what is kept grows old.
      const declared = store.capabilities.shared ? store.read(allFaults) : rows();
      const all = (await declared).filter(({ rule }) => rule.work?.kinds.includes(work));
      if (all.length === 0) return;
      const { clusterId } = payload as ClusterWork;
      const cluster = await store.read((tx) => clusterById(tx, clusterId));
      const met = await firstMet(
        all.filter(({ rule }) => fits(rule, { groupId: cluster?.groupId, clusterName: cluster?.name })),
      );
      if (met === undefined) return;
      log.warn({ fault: met.id, work, cluster: clusterId }, 'a task meets a declared fault');
      if (met.rule.work?.outcome === 'HELD') throw new NotYet(HOLD_MS, 'a declared fault holds it');
      throw new PermanentFailure('a declared fault');
    },
    close: () => kept.close(),
  };
}

function concernsRequest(rule: FaultRule, { operation, tag, params }: FaultTarget): boolean {
  const { operations = [] } = rule.request ?? {};
  const isNamed = [EVERY_OPERATION, operation, tag].some((name) => operations.includes(name));
  return isNamed && fits(rule, { groupId: params.groupId, clusterName: params.clusterName ?? params.name });
}

type Place = { readonly [K in 'groupId' | 'clusterName']: string | undefined };

function fits({ groupId, clusterName }: FaultRule, place: Place): boolean {
  if (groupId !== undefined && groupId !== place.groupId) return false;
  return clusterName === undefined || clusterName === place.clusterName;
}
