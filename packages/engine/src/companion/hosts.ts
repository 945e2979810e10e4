import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { createEmbeddedEngine, type EmbeddedEngine, hostsWithin, type StartHost } from '../management.ts';

const LOOPBACK = '127.0.0.1';
const PORTS = { from: 20_000, to: 29_999 };

/**
 * Engine hosts are in this process: they end with it, however that ends. Tests ask one database at a time as a
 * rule, and each thread takes a fifth of a second to load: they are started when `early` resolves, or with the
 * first database.
 */
export function hostsHere(early: Promise<unknown>): StartHost {
  return hostsWithin({ queryWorkers: 1, early });
}

/** Test runners have several processes, each with a companion: each begins somewhere else. */
export function portsOfChance(): { readonly from: number; readonly to: number; readonly first: number } {
  return { ...PORTS, first: PORTS.from + systemRandom().integer(PORTS.to - PORTS.from) };
}

/** Starts an engine on an existing folder. Throws where another process has it. */
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
