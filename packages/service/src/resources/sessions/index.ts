import { repeat } from '@portolan/foundation/repeat';
import type { Mount } from '../../api/index.ts';
import { type Family, operationsIn } from '../family.ts';
import type { Services } from '../services.ts';
import { sessionAuthenticator } from './authenticator.ts';
import { consoleMounts } from './console-mounts.ts';
import * as endpoints from './endpoints.ts';
import { sessionFaults } from './faults.ts';
import { linkMounts } from './link-mounts.ts';
import { migrations } from './migrations.ts';
import * as codeEndpoints from './one-time-codes/endpoints.ts';
import { codeEvents } from './one-time-codes/events.ts';
import * as codes from './one-time-codes/operations.ts';
import { endRevokedSessions } from './openid/hooks.ts';
import { openIdMounts } from './openid/mounts.ts';
import * as identities from './openid/operations.ts';
import { deleteUsedStates } from './openid/rows.ts';
import * as operations from './operations.ts';
import { pageMounts } from './pages.ts';
import { deleteEnded } from './rows.ts';
import { endedBefore } from './rules.ts';
import { sessionWatch } from './watch.ts';

export { createLink, setOwnedOrganization } from './changes.ts';

const CLEANING_INTERVAL_MS = 600_000;

/** Login sessions of people, and the console that uses them. */
export const family: Family = {
  name: 'sessions',
  operations: operationsIn(operations, codes, identities),
  migrations,
  eventTypes: codeEvents,
  mounts: [...consoleMounts(), ...linkMounts, ...openIdMounts, ...pageMounts()].map(unlessTurnedOff),
  endpoints: Object.values({ ...endpoints, ...codeEndpoints }),
  background: [deleteRegularly, sessionWatch],
  hooks: [endRevokedSessions],
  sessions: sessionAuthenticator,
  faults: [sessionFaults],
};

/** Wraps an endpoint of the console. If the console is turned off, the path of the endpoint does not exist. */
function unlessTurnedOff(mountOf: (services: Services) => Mount): (services: Services) => Mount {
  return (services) => {
    const mount = mountOf(services);
    const serves = mount.serves ?? (() => true);
    return { ...mount, serves: (headers) => services.console !== undefined && serves(headers) };
  };
}

function deleteRegularly({ store, machine, log }: Services) {
  return repeat({
    machine,
    run: () =>
      store.write(async (tx) => {
        const now = machine.now();
        await deleteEnded(tx, endedBefore(now));
        await deleteUsedStates(tx, now);
      }),
    interval: CLEANING_INTERVAL_MS,
    onError: (error) => log.warn({ reason: error.message }, 'ended sessions could not be deleted'),
  });
}
