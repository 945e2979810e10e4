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
  /** An existing folder, in which the engine uses only the subfolder `engine`. */
  readonly dataDir: string;
  /** The address on which members listen. The default is `127.0.0.1`. */
  readonly listen?: string;
  /** The name or address of the members in connection strings. The default is the address in `listen`. */
  readonly advertise?: string;
  /** The domain below which each member has a host name of its own. Absent if members have no such names. */
  readonly domain?: string;
  /**
   * The range of ports for members. The default is 20000 to 29999, in which members first get the ports from
   * 27100 on.
   */
  readonly ports?: PortRange;
  /** The folder of the master keys of encrypted clusters. The default is `keys` in the data directory. */
  readonly keyFolder?: string;
  /** True if members accept only TLS connections. Until `setTls` is called, they accept none. The default is false. */
  readonly tls?: boolean;
  /** True if the host process stops when this process ends for any reason. The default is false. */
  readonly endsWithProcess?: boolean;
  readonly log: Log;
  readonly clock?: MachineClock;
  readonly random?: Random;
  readonly environment?: NodeJS.ProcessEnv;
  /**
   * Starts a host on its data directory. Resolves to false if another host uses the directory. By default, starts a
   * process.
   */
  readonly startHost?: StartHost;
}

/** Settings for services on other machines, which connect to the host over TLS. */
interface PeerSettings extends PeerAddress {
  /** The name or address of this machine for other services. The certificate must be valid for it. */
  readonly advertise: string;
  /** The PEM certificate of the authority that signed the host's certificate. */
  readonly authority: string;
}

/**
 * The embedded engine, which runs in a host process. Every call connects to the host, or starts a host if
 * none is running. A call throws `EngineUnavailable` if it cannot connect; callers may then retry it. It
 * throws `EngineError` if the host reports an error.
 */
export interface EmbeddedEngine extends Engine {
  /** Resolves when the host accepts calls. */
  start(): Promise<void>;
  /** True if the host is connected. */
  readonly connected: boolean;
  /**
   * Resolves to false if the connected host does not reply within `withinMs` milliseconds, for example
   * because its process is suspended.
   */
  answers(withinMs: number): Promise<boolean>;
  status(): Promise<HostStatus>;
  /** Returns digests of the clusters in a folder after `finishCopy` has completed the copy. */
  digestClusters(folder: string): Promise<readonly ClusterDigests[]>;
  /**
   * The first of three steps that copy the folders of all clusters to `to`, as of the same point in time. The other
   * steps are `beginCopy` and `finishCopy`.
   */
  prepareCopy(to: string): Promise<void>;
  /** Second step: fixes the point in time of the copies. */
  beginCopy(to: string): Promise<CopyOutcome>;
  /**
   * Third step: resolves when the copies are complete. Abandons the copies if `beginCopy` has not started
   * them.
   */
  finishCopy(to: string): Promise<void>;
  /**
   * Makes this host, and the hosts that replace it, listen for services on other machines. If `peers` is
   * undefined, they stop listening.
   */
  listenToPeers(peers: PeerSettings | undefined): Promise<void>;
  /**
   * Returns the address at which other services reach the host, or undefined while no host is running. Without peer
   * settings, only services on this machine can reach it.
   */
  endpoint(): HostEndpoint | undefined;
  /**
   * Disconnects from the host. Its databases keep running, and another engine object on the same directory finds them.
   */
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
  const end = options.endsWithProcess === true ? ({ endsWithStarter: true } as const) : {};
  const supervisor = new Supervisor({
    settings: {
      dataDir: resolve(options.dataDir),
      listen,
      advertise,
      ports,
      keyFolder,
      ...domain,
      ...tls,
      ...end,
    },
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
