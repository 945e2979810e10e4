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
 * Copies all clusters into the folder `to`. The copies contain the data as it was when `attempt` called `begin`, which
 * it does while nothing else is written. If a statement is writing to a cluster, the attempt is abandoned, so that
 * other writes can proceed before the next attempt.
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

/** Repeat the preparation: a deployment that was created after it belongs to the state too. */
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
