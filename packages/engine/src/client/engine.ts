import { join, resolve } from 'node:path';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Random, systemRandom } from '@portolan/foundation/random';
import type { ClusterDigests, CopyOutcome, HostStatus, PeerAddress } from '../control/calls.ts';
import type { PortRange } from '../control/protocol.ts';
import type { Engine } from '../interface/calls.ts';
import { endpointOf, type HostEndpoint } from './endpoint.ts';
import { processStarter } from './host-process.ts';
import { type StartHost, Supervisor } from './supervisor.ts';

export interface EmbeddedEngineOptions {
  /** Must exist; the engine uses only the folder `engine` in it. */
  readonly dataDir: string;
  /** The address that members listen on; default `127.0.0.1`. */
  readonly listen?: string;
  /** The name or address that drivers are given; default: that of `listen`. */
  readonly advertise?: string;
  /** Members with names are known by these below this domain; default: none. */
  readonly domain?: string;
  /** Default: 20000 to 29999, starting at 27100. */
  readonly ports?: PortRange;
  /** The folder of the master keys of encrypted clusters; default: `keys` in the data directory. */
  readonly keyFolder?: string;
  /** Members accept TLS only, once `setTls` has been called; default: off. */
  readonly tls?: boolean;
  readonly log: Log;
  readonly clock?: MachineClock;
  readonly random?: Random;
  readonly environment?: NodeJS.ProcessEnv;
  /**
   * Starts a host on its data directory; resolves to false if the directory has one. Default: a process that outlives
   * this one.
   */
  readonly startHost?: StartHost;
}

/** Settings for services of other machines, which reach the host over TLS. */
interface PeerSettings extends PeerAddress {
  /** The name or address that they are given; the certificate must be valid for it. */
  readonly advertise: string;
  /** The authority of the certificate, as PEM. */
  readonly authority: string;
}

/**
 * The embedded engine, which runs in a host process. Every call connects to the host or starts it, and throws
 * `EngineUnavailable` if that fails (retry later) or `EngineError` if the call failed in the host.
 */
export interface EmbeddedEngine extends Engine {
  /** Resolves when the host accepts calls. */
  start(): Promise<void>;
  /** Whether the host is connected. */
  readonly connected: boolean;
  /** Returns false if the connected host does not answer within so many milliseconds: its process is stopped. */
  answers(withinMs: number): Promise<boolean>;
  status(): Promise<HostStatus>;
  /** The contents of the clusters in a folder made by `finishCopy`. */
  digestClusters(folder: string): Promise<readonly ClusterDigests[]>;
  /** Copies the folders of all clusters into `to`, consistent with each other, in three steps. */
  prepareCopy(to: string): Promise<void>;
  /** Fixes the moment of the copies. */
  beginCopy(to: string): Promise<CopyOutcome>;
  /** Resolves when the copies are complete; abandons those that were not begun. */
  finishCopy(to: string): Promise<void>;
  /** Makes this host and its successors listen for services of other machines; undefined stops that. */
  listenToPeers(peers: PeerSettings | undefined): Promise<void>;
  /**
   * How other services reach the host; undefined while none runs. Without peer settings it serves this machine only.
   */
  endpoint(): HostEndpoint | undefined;
  /** Disconnects from the host: its databases keep running, and another engine on the same directory finds them. */
  close(): void;
  /** Shuts down the host and all databases cleanly. */
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
