import { subscribe } from 'node:diagnostics_channel';
import { machineClock } from '@portolan/foundation/clock';
import { collectGarbage, collectionOfThread } from '@portolan/foundation/idle-collection';
import { shutdownRequested } from '@portolan/foundation/starter/starter';
import type { Bootstrap } from '@portolan/service/bootstrap';
import type { Service } from '@portolan/service/service';
import type { Config } from '@portolan/service/settings';
import { openService } from '@portolan/service/start-up';
import { SeedRuns } from '../seed/runs.ts';

/** Runs a service until it is stopped. Returns the exit code. */
export async function start(config: Config): Promise<number> {
  // Make databases and keys readable only by their owner, even in a folder that others can access.
  process.umask(0o077);
  const stopped = shutdownRequested(machineClock(), config.stay);
  const seed = config.seed === undefined ? undefined : await readSeedOf(config.seed);
  const seeds = new SeedRuns();
  const service = await openService(config, { seeds });
  await seed?.(service, seeds);
  seeds.serve(service);
  if (process.stdout.isTTY) console.log(greeting(service.bootstrap, service.dataDirectory));
  console.log(`ready ${service.bootstrap.url}`);
  const link = await service.consoleLink();
  if (link !== undefined) console.log(`console ${link}`);
  collectWhenIdle();
  await stopped;
  await service.close();
  return 0;
}

/** Delay before the garbage of the start is collected. The first request of most tests comes earlier. */
const STARTED_MS = 2_000;

/** Collects the garbage that the start and each busy period leave, once the service is idle. */
function collectWhenIdle(): void {
  const collection = collectionOfThread(machineClock(), collectGarbage);
  subscribe('http.server.request.start', () => collection.touch());
  collection.begin(STARTED_MS);
}

/** Reads the seed before anything is created. Returns a function that applies it. */
async function readSeedOf(file: string): Promise<(service: Service, seeds: SeedRuns) => Promise<void>> {
  const { readSeed } = await import('../seed/file.ts');
  const seed = readSeed(file);
  return async (service, seeds) => {
    try {
      await seeds.apply(service, seed, file);
      // Keep this state, which a reset restores.
      if (service.isNew) await service.states.keepFirst();
    } catch (error) {
      await service.close();
      throw error;
    }
  };
}

function greeting(
  { url, publicKey, orgId, groupId, caCertificate }: Bootstrap,
  dataDirectory: string,
): string {
  const trust = caCertificate === undefined ? '' : ` --cacert ${caCertificate}`;
  return [
    `organization ${orgId}, project ${groupId}`,
    `keys and tokens: ${dataDirectory}/bootstrap.json`,
    '',
    `  curl --digest${trust} --user "${publicKey}:$PRIVATE_KEY" \\`,
    `    ${url}/api/service/v2/groups`,
    '',
    `reference: ${url}/api/service/docs`,
  ].join('\n');
}
