import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import * as backups from './backups.ts';
import * as changes from './changes.ts';
import { connect } from './client.ts';
import { migrateCluster } from './migrations.ts';
import { loseRegion } from './outages.ts';
import { type RunningService, startService } from './process.ts';
import { searchForWords } from './search.ts';
import * as steps from './steps.ts';

/** A step between the start and the stop of the service. */
type Step = readonly [title: string, run: (journey: steps.Journey) => Promise<string>];

const firstDay: readonly Step[] = [
  ['create a project', steps.createProject],
  ['create a cluster', steps.createCluster],
  ['wait until it is IDLE', steps.awaitIdle],
  ['create a database user', steps.createUser],
  ['allow an address', steps.allowAddress],
  ['connect a driver', steps.connectDriver],
  ['insert and query', steps.insertAndQuery],
  ['take a snapshot', backups.takeSnapshot],
  ['drop and restore', backups.restoreWhatWasDropped],
  ['update it under load', changes.updateUnderLoad],
  ['test a failover', changes.testFailover],
  ['migrate it', migrateCluster],
  ['load sample data', changes.loadSampleData],
  ['search for words', searchForWords],
  ['lose a region', loseRegion],
  ['pause', steps.pause],
  ['resume', steps.resume],
];

const secondDay: readonly Step[] = [
  ['find the data again', steps.countDocuments],
  ['delete', steps.deleteCluster],
];

/**
 * Runs all steps once on a new data directory: start, driver, restart, removal of all resources. Prints the duration of
 * each step. Returns whether all steps succeeded.
 */
export async function tour(print: (line: string) => void): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-tour-'));
  let service: RunningService | undefined;
  let journey: steps.Journey | undefined;
  const timed = timer(print);
  const firstPort = 20_000 + systemRandom().integer(9_000);
  try {
    let running = await timed('start the service', () => startService(folder, { firstPort }));
    service = running;
    const { orgId, caCertificate: authorityFile = '' } = running.bootstrap;
    journey = {
      client: await clientOf(running),
      orgId,
      authorityFile,
      groupId: '',
      connectionString: '',
      database: undefined,
    };
    await play(firstDay, journey, timed);
    await timed('stop the service', () => running.stop());
    running = await timed('start it again', () => startService(folder, { firstPort }));
    service = running;
    journey = { ...journey, client: await clientOf(running) };
    await play(secondDay, journey, timed);
    await timed('stop', () => running.stop());
    return true;
  } catch (error) {
    print(`failed: ${(error as Error).message}`);
    // A connected driver would keep the process alive.
    await journey?.database?.close();
    await service?.stop().catch(() => {});
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Timed = <T>(title: string, run: () => Promise<T>) => Promise<T>;

function timer(print: (line: string) => void): Timed {
  const machine = machineClock();
  return async (title, run) => {
    const start = machine.monotonic();
    const result = await run();
    const took = `${Math.round(machine.monotonic() - start)} ms`;
    const said = typeof result === 'string' ? `  ${result}` : '';
    print(`${took.padStart(8)}  ${title.padEnd(24)}${said}`.trimEnd());
    return result;
  };
}

async function play(list: readonly Step[], journey: steps.Journey, timed: Timed): Promise<void> {
  for (const [title, run] of list) await timed(title, () => run(journey));
}

function clientOf({ bootstrap, authority }: RunningService) {
  return connect({ ...bootstrap, authority });
}
