import { resolve } from 'node:path';
import { type ClockSetting, type MachineClock, machineClock } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import { type Random, systemRandom } from '../../../runtime/random.ts';
import type { Engine } from '../../engine.ts';
import type { HostStatus, PortRange } from '../control/protocol.ts';
import { engineOver } from './calls.ts';
import { endpointOf, type HostEndpoint } from './endpoint.ts';
import { Supervisor } from './supervisor.ts';

export interface EmbeddedEngineOptions {
  /** Must be there; the engine keeps to the folder `engine` in it. */
  readonly dataDir: string;
  /** The address that members listen on; `127.0.0.1`. */
  readonly listen?: string;
  /** The name or address that drivers are told; that of `listen`. */
  readonly advertise?: string;
  /** 20000 to 29999, from 27100 on. */
  readonly ports?: PortRange;
  /** Members speak TLS alone, once `setTls` has been called; off. */
  readonly tls?: boolean;
  readonly log: Log;
  readonly clock?: MachineClock;
  readonly random?: Random;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The embedded engine, driven through its host process. Every call finds or starts the host when there is none, and
 * throws `EngineUnavailable` when that fails (repeat it later), `EngineError` when the host could not do it.
 */
export interface EmbeddedEngine extends Engine {
  /** Resolves when the host takes calls. */
  start(): Promise<void>;
  /** Whether the host can be reached at this moment. */
  readonly connected: boolean;
  setClock(setting: ClockSetting): Promise<void>;
  status(): Promise<HostStatus>;
  /** How another process reaches the host; nothing while none runs. */
  endpoint(): HostEndpoint | undefined;
  /** Lets go of the host: its databases stay up, and another engine on the same directory finds them. */
  close(): void;
  /** Ends the host and with it all databases, cleanly. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORTS: PortRange = { from: 20_000, to: 29_999, first: 27_100 };

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { listen = LOOPBACK, ports = DEFAULT_PORTS } = options;
  const { advertise = listen } = options;
  const tls = options.tls === true ? ({ tls: true } as const) : {};
  const host = new Supervisor({
    settings: { dataDir: resolve(options.dataDir), listen, advertise, ports, ...tls },
    environment: options.environment ?? process.env,
    clock: options.clock ?? machineClock(),
    random: options.random ?? systemRandom(),
    log: options.log,
  });
  return {
    ...engineOver((call, ...args) => host.call(call, ...args)),
    endpoint: () => endpointOf(options.dataDir),
    start: async () => void (await host.connect()),
    get connected() {
      return host.connected;
    },
    setClock: (setting) => host.setClock(setting),
    setTls: (certificate) => host.setTls(certificate),
    status: () => host.call('status'),
    close: () => host.close(),
    stop: () => host.stop(),
  };
}
