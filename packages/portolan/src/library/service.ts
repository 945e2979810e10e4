/// <reference lib="esnext.disposable" preserve="true" />
import { asyncDispose } from '@portolan/engine/library/dispose';
import { oneAfterAnother } from '@portolan/engine/library/in-turn';
import { checkNames, checkType, portOf } from '@portolan/engine/library/options';
import type { ServiceFacts } from './protocol.ts';
import { askServices } from './services.ts';

export interface StartOptions {
  /** What it begins with, also after a reset: the path of a seed file, or what would be in it (docs/seed.md). */
  readonly seed?: string | object;
  /** The port that it listens on; 0, or left out: any that is free. */
  readonly port?: number;
  /** Serves HTTPS with an authority of its own, whose certificate is in the file `caCertificate`. */
  readonly tls?: boolean;
  /** Other settings by their names in docs/settings.md: `{ 'strict-versions': true }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** What callers of the API prove themselves with. */
export interface Credentials {
  /** An API key: user name and password of HTTP Digest. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** A service account, for access tokens. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** For operations below `/operator/v1`. */
  readonly operatorToken: string;
}

export interface ClusterOptions {
  /** The project it is in; the first one. */
  readonly groupId?: string;
  /** What the request of the API takes; a replica set of the size M10 where nothing is said. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A service that runs, and all that its callers need. */
export interface PortolanService extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly credentials: Credentials;
  /** The path of a PEM file, where it serves HTTPS. */
  readonly caCertificate: string | undefined;
  /**
   * Makes a cluster, and with the first one of a project a database user and an entry of the access list for this
   * machine. Resolves when drivers can connect, with a connection string that logs in.
   */
  createCluster(name: string, options?: ClusterOptions): Promise<string>;
  /** That of a cluster that is there or is being made; it names a user where `createCluster` has made one. */
  connectionString(name: string, options?: Pick<ClusterOptions, 'groupId'>): Promise<string>;
  /** From here on everything is as it was after the start: same address, same credentials, no cluster. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const OPTIONS = ['seed', 'port', 'tls', 'settings'];

/**
 * Starts a service whose data go with it. Resolves when it answers. Rejects with a TypeError or RangeError for
 * options that it does not have or that are something else, with a `CompanionError` for what cannot be done.
 */
export async function start(options: StartOptions = {}): Promise<PortolanService> {
  checkNames('start', options, OPTIONS);
  const { tls = false, settings = {}, seed } = options;
  checkType('tls', tls, 'boolean');
  checkType('settings', settings, 'object');
  checkType('seed', seed, 'string', 'object');
  const port = portOf(options.port) ?? 0;
  const facts: ServiceFacts = await askServices('startService', { port, tls, settings, seed });
  const { id, url, orgId, groupId, caCertificate } = facts;
  const { publicKey, privateKey, clientId, clientSecret, operatorToken } = facts;
  // The states of a service change one after the other, and a second reset at once would be refused.
  const inTurn = oneAfterAnother();
  const close = () => inTurn(() => askServices('closeService', { id }));
  return {
    url,
    orgId,
    groupId,
    credentials: { publicKey, privateKey, clientId, clientSecret, operatorToken },
    caCertificate,
    createCluster: (name, { groupId: project, body = {} } = {}) =>
      askServices('createCluster', { id, groupId: project, name, body }),
    connectionString: (name, { groupId: project } = {}) =>
      askServices('connectionString', { id, groupId: project, name }),
    reset: () => inTurn(() => askServices('resetService', { id })),
    close,
    [asyncDispose]: close,
  };
}
