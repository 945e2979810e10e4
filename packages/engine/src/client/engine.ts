import { join, resolve } from 'node:path';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Random, systemRandom } from '@portolan/foundation/random';
import type { ClusterDigests, HostStatus, PeerAddress } from '../control/calls.ts';
import type { PortRange } from '../control/protocol.ts';
import type { Engine } from '../interface/calls.ts';
import { endpointOf, type HostEndpoint } from './endpoint.ts';
import { processStarter } from './host-process.ts';
import { type StartHost, Supervisor } from './supervisor.ts';

export interface EmbeddedEngineOptions {
  /** Must be there; the engine keeps to the folder `engine` in it. */
  readonly dataDir: string;
  /** The address that members listen on; `127.0.0.1`. */
  readonly listen?: string;
  /** The name or address that drivers are given; that of `listen`. */
  readonly advertise?: string;
  /** Members that have names are known by these below it; none. */
  readonly domain?: string;
  /** 20000 to 29999, from 27100 on. */
  readonly ports?: PortRange;
  /** Where the master keys of encrypted clusters are; `keys` in the data directory. */
  readonly keyFolder?: string;
  /** Members speak TLS alone, once `setTls` has been called; off. */
  readonly tls?: boolean;
  readonly log: Log;
  readonly clock?: MachineClock;
  readonly random?: Random;
  readonly environment?: NodeJS.ProcessEnv;
  /** Starts a host on its data directory; false where that has one. Absent: a process that outlives this one. */
  readonly startHost?: StartHost;
}

/** How services of other machines reach the host: over TLS. */
interface PeerSettings extends PeerAddress {
  /** The name or address that they are given, for which the certificate is good. */
  readonly advertise: string;
  /** What vouches for the certificate, as PEM. */
  readonly authority: string;
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
  /** False where the host is connected and does not answer within so many milliseconds: its process is stopped. */
  answers(withinMs: number): Promise<boolean>;
  status(): Promise<HostStatus>;
  /** What is in the clusters of a folder that was copied so. */
  digestClusters(folder: string): Promise<readonly ClusterDigests[]>;
  /** Copies the folders of all clusters into `to`, as they are at one moment. */
  copyClusters(to: string): Promise<void>;
  /** Lets services of other machines reach the host, this one and every one that follows it; without any, none. */
  listenToPeers(peers: PeerSettings | undefined): Promise<void>;
  /** How other services reach the host; nothing while none runs. Without peers those of this machine can alone. */
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
  const keyFolder = resolve(options.keyFolder ?? join(options.dataDir, 'keys'));
  const tls = options.tls === true ? ({ tls: true } as const) : {};
  const domain = options.domain === undefined ? {} : { domain: options.domain };
  const supervisor = new Supervisor({
    settings: { dataDir: resolve(options.dataDir), listen, advertise, ports, keyFolder, ...domain, ...tls },
    startHost: options.startHost ?? processStarter(options.environment ?? process.env),
    clock: options.clock ?? machineClock(),
    random: options.random ?? systemRandom(),
    log: options.log,
  });
  let peers: PeerSettings | undefined;
  return {
    ...supervisor.host,
    async listenToPeers(wanted) {
      await supervisor.listenToPeers(
        wanted && { host: wanted.host, port: wanted.port, certificate: wanted.certificate },
      );
      peers = wanted;
    },
    endpoint() {
      const local = endpointOf(options.dataDir);
      if (local === undefined || peers === undefined) return local;
      const { peerPort: port } = supervisor;
      return port === undefined
        ? undefined
        : { host: peers.advertise, port, token: local.token, authority: peers.authority };
    },
    start: async () => void (await supervisor.connect()),
    get connected() {
      return supervisor.connected;
    },
    answers: (withinMs) => supervisor.answers(withinMs),
    setClock: (setting) => supervisor.setClock(setting),
    setTls: (certificate) => supervisor.setTls(certificate),
    close: () => supervisor.close(),
    stop: () => supervisor.stop(),
  };
}
