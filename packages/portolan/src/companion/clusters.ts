import { machineClock } from '@portolan/foundation/clock';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { LOWERCASE_AND_DIGITS, randomText, systemRandom } from '@portolan/foundation/random';
import { poll } from '@portolan/foundation/wait';
import type { OwnAnswer, OwnCall } from '@portolan/service/own-calls';

/** A database user with all privileges. */
export interface Access {
  readonly username: string;
  readonly password: string;
}

/** The body for a cluster if the caller has not specified one. */
const USUAL = { providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' } };
const READY = { step: 5, limit: 180_000 };

/** Creates an access-list entry for this machine and a database user in a project. */
export async function newAccess(call: OwnCall, project: string): Promise<Access> {
  const access = { username: 'tester', password: randomText(systemRandom(), LOWERCASE_AND_DIGITS, 24) };
  const user = {
    ...access,
    databaseName: 'admin',
    roles: [{ databaseName: 'admin', roleName: 'platformAdmin' }],
  };
  done(await call('POST', `/groups/${project}/databaseUsers`, user));
  done(await call('POST', `/groups/${project}/accessList`, [{ ipAddress: '127.0.0.1' }]));
  return access;
}

export async function newCluster(call: OwnCall, project: string, body: PlainObject): Promise<void> {
  done(await call('POST', `/groups/${project}/clusters`, { ...USUAL, ...body }));
}

/**
 * Resolves with the connection string when the cluster is ready and enforces the users and addresses of its project.
 */
export async function connectionStringOf(
  call: OwnCall,
  {
    project,
    name,
    access,
  }: { readonly project: string; readonly name: string; readonly access: Access | undefined },
): Promise<string> {
  const path = `/groups/${project}/clusters/${encodeURIComponent(name)}`;
  const uri = await poll(machineClock(), READY, async () => {
    const { stateName, connectionStrings } = done(await call('GET', path));
    if (stateName !== 'IDLE') return undefined;
    const { changeStatus } = done(await call('GET', `${path}/status`));
    return changeStatus === 'APPLIED' ? (connectionStrings as { standard: string }).standard : undefined;
  });
  if (uri === undefined) throw new Error(`the cluster ${name} is not IDLE after ${READY.limit / 1000} s`);
  if (access === undefined) return uri;
  return uri.replace('mongodb://', `mongodb://${access.username}:${access.password}@`);
}

function done({ status, body }: OwnAnswer): OwnAnswer['body'] {
  if (status < 300) return body;
  throw new Error(`${body.errorCode}: ${body.detail}`);
}
