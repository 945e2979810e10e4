import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { createEmbeddedEngine, type EmbeddedEngine, hostsWithin, type StartHost } from '../management.ts';

const LOOPBACK = '127.0.0.1';
const PORTS = { from: 20_000, to: 29_999 };

/**
 * Starts engine hosts in this process, so that they end with it. Loading the code of a thread takes 0.2 s.
 * Therefore threads start only when `early` resolves or when the first database starts. There is one query
 * thread, because tests usually query one database at a time.
 */
export function hostsHere(early: Promise<unknown>): StartHost {
  return hostsWithin({ queryThreads: 1, early });
}

/**
 * Returns a port range with a random first port. Test runners have several processes, each with its own companion. Two
 * companions should not try the same ports.
 */
export function portsOfChance(): { readonly from: number; readonly to: number; readonly first: number } {
  return { ...PORTS, first: PORTS.from + systemRandom().integer(PORTS.to - PORTS.from) };
}

/** Opens an engine on an existing folder. Throws if another process uses the folder. */
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
