import { type KeyState, keyStates } from '../../encryption/index.ts';
import { baseUnits } from '../catalogue/units.ts';
import type { Finding } from '../lifecycle/changes.ts';
import { isBeyond } from './comparison.ts';
import type { StateSource } from './states.ts';

const NOT_VALID = 'ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID';
const providers = ['AWS', 'AZURE', 'GCP'] as const;

/** Findings about the validity and the age of each project's master keys. */
export const encryption: StateSource = {
  eventTypes: [
    NOT_VALID,
    ...providers.flatMap((name) => [
      `${name}_ENCRYPTION_KEY_INVALID`,
      `${name}_ENCRYPTION_KEY_NEEDS_ROTATION`,
    ]),
  ],
  async look(tx) {
    const states = await keyStates(tx);
    const byProject = Map.groupBy(states, ({ groupId }) => groupId);
    return [...byProject].flatMap(([groupId, keys]) => [
      finding(groupId, NOT_VALID, () => (keys.some(({ isLost }) => isLost) ? {} : 'ok')),
      ...keys.flatMap((key) => findingsOf(key, tx.now)),
    ]);
  },
};

function findingsOf({ groupId, provider, isLost, since }: KeyState, now: Date): Finding[] {
  return [
    // The contract has a threshold for this event. The service ignores the threshold, and opens the alert as soon as a
    // key is unusable.
    finding(groupId, `${provider}_ENCRYPTION_KEY_INVALID`, () => (isLost ? {} : 'ok')),
    finding(groupId, `${provider}_ENCRYPTION_KEY_NEEDS_ROTATION`, ({ document: { threshold } }) => {
      if (since === undefined || threshold === undefined) return 'unknown';
      const number = now.getTime() - since.getTime();
      if (!isBeyond(threshold, 'time', number)) return 'ok';
      return { currentValue: { number, units: baseUnits.time } };
    }),
  ];
}

function finding(groupId: string, eventType: string, evaluate: Finding['evaluate']): Finding {
  const target = { key: `group:${groupId}`, fields: {}, subject: {}, clusterId: undefined };
  return { groupId, eventType, target, evaluate };
}
