import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { createEmbeddedEngine, type EmbeddedEngine, hostsWithin, type StartHost } from '../management.ts';

const LOOPBACK = '127.0.0.1';
const PORTS = { from: 20_000, to: 29_999 };

/**
 * Engine hosts run in this process, and so end with it. Tests usually query one database at a time, and each thread
 * takes 0.2 s to load: threads start when `early` resolves, or with the first database.
 */
export function hostsHere(early: Promise<unknown>): StartHost {
  return hostsWithin({ queryWorkers: 1, early });
}

/** A random start of the port range, since test runners have several processes with a companion each. */
export function portsOfChance(): { readonly from: number; readonly to: number; readonly first: number } {
  return { ...PORTS, first: PORTS.from + systemRandom().integer(PORTS.to - PORTS.from) };
}

/** Starts an engine on an existing folder. Throws if another process uses it. */
export async function openEngineHere(dataDir: string, listen: string): Promise<EmbeddedEngine> {
  const advertise = listen === '0.0.0.0' || listen === '::' ? LOOPBACK : listen;
  const ports = portsOfChance();
  const engine = createEmbeddedEngine({
    ...{ dataDir, listen, advertise, ports },
    startHost: hostsHere(Promise.resolve()),
    log: silentLog(),
  });
  await engine.start();
  return engine;
}
