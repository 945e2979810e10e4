import { nextTurn } from '@portolan/foundation/next-turn';
import { repeat } from '@portolan/foundation/repeat';
import { doesSharedWork } from '../../engine-hosts/index.ts';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';
import { enabledAmong } from '../configurations/rows.ts';
import type { Finding } from '../lifecycle/changes.ts';
import { type AlertRow, liveAlertsOfEvents } from '../model/rows.ts';
import { backups } from './backups.ts';
import { billing } from './billing.ts';
import { encryption } from './encryption.ts';
import { reportFindings } from './round.ts';
import type { StateSource } from './states.ts';

const ROUND_MS = 10_000;

const sources: readonly StateSource[] = [backups, billing, encryption];

/** Event types that are derived from the service's database. */
export const STORED_STATE_EVENTS: readonly string[] = sources.flatMap(({ eventTypes }) => eventTypes);

/** Evaluates states in the service's database at regular intervals, and whenever service time is set. */
export function watchStates(services: Services): Background {
  const { engines, machine, clock, log } = services;
  const rounds = repeat({
    machine,
    async run() {
      if (!doesSharedWork(engines)) return;
      for (const source of sources) await evaluateSource(services, source);
    },
    interval: ROUND_MS,
    onError: (error) => log.debug({ reason: error.message }, 'states could not be evaluated for alerts'),
  });
  clock.onChange(() => rounds.wake());
  return rounds;
}

async function evaluateSource({ store, clock }: Services, source: StateSource): Promise<void> {
  const { eventTypes } = source;
  const { findings, live } = await store.read(async (tx) => {
    const found = await source.look(tx);
    const live = await liveAlertsOfEvents(tx, eventTypes);
    return { findings: [...found, ...gone(live, found)], live };
  });
  const liveOf = Map.groupBy(live, ({ groupId }) => groupId);
  // Evaluate one project after another, since the configurations of each can have some megabytes.
  for (const [groupId, own] of Map.groupBy(findings, ({ groupId }) => groupId)) {
    const configurations = await store.read((tx) => enabledAmong(tx, [groupId], eventTypes));
    const known = { configurations, live: liveOf.get(groupId) ?? [] };
    await reportFindings(store, own, known, clock.now());
    await nextTurn();
  }
}

const keyOf = (groupId: string, eventType: string, target: string) => `${groupId} ${eventType} ${target}`;

/** Findings that close live alerts whose target no longer exists. */
function gone(live: readonly AlertRow[], found: readonly Finding[]): Finding[] {
  const there = new Set(found.map(({ groupId, eventType, target }) => keyOf(groupId, eventType, target.key)));
  return live
    .filter(({ groupId, eventType, target }) => !there.has(keyOf(groupId, eventType, target)))
    .map(({ groupId, eventType, target, clusterId, document: { subject } }) => ({
      groupId,
      eventType,
      target: { key: target, fields: {}, subject, clusterId },
      evaluate: () => 'ok',
    }));
}
