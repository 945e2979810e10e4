import type { EmbeddedEngine } from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import { wait } from '@portolan/foundation/wait';
import { stateFaults } from '../resources/states/index.ts';

export type CopyingEngine = Pick<EmbeddedEngine, 'prepareCopy' | 'beginCopy' | 'finishCopy'>;

interface Parts {
  readonly engine: CopyingEngine;
  readonly machine: MachineClock;
}

/** Pause between two attempts, while a statement writes to a cluster. */
const ATTEMPT_MS = 20;
const LIMIT_MS = 60_000;

class ClusterBusy extends Error {
  override readonly name = 'ClusterBusy';
}

/**
 * Copies all clusters into the folder `to`. `attempt` must stop all other writes while it calls `begin`. The
 * copies contain the data as it was at this call. If a statement is writing to a cluster, the attempt is
 * abandoned and repeated, so that other writes can proceed between the attempts. Throws STATE_CANNOT_BE_SAVED
 * if no attempt succeeds in time.
 */
export async function copyWithClusters(
  { engine, machine }: Parts,
  to: string,
  attempt: (begin: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const begun = machine.monotonic();
  try {
    await engine.prepareCopy(to);
    while (!(await succeeds(() => attempt(() => begin(engine, to))))) {
      if (machine.monotonic() - begun > LIMIT_MS) throw stateFaults.STATE_CANNOT_BE_SAVED(LIMIT_MS / 1000);
      await wait(machine, ATTEMPT_MS);
    }
  } finally {
    await engine.finishCopy(to);
  }
}

/**
 * Begins the copies. If a deployment was created after the preparation, prepares again, since the new deployment also
 * belongs to the state.
 */
async function begin(engine: CopyingEngine, to: string): Promise<void> {
  for (;;) {
    const outcome = await engine.beginCopy(to);
    if (outcome === 'begun') return;
    if (outcome === 'busy') throw new ClusterBusy();
    await engine.prepareCopy(to);
  }
}

async function succeeds(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (error instanceof ClusterBusy) return false;
    throw error;
  }
}
