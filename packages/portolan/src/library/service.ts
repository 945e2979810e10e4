/// <reference lib="esnext.disposable" preserve="true" />
import { asyncDispose } from '@portolan/engine/library/dispose';
import { checkNames, checkType, portOf } from '@portolan/engine/library/options';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import type { ServiceFacts } from './protocol.ts';
import { askServices } from './services.ts';

export interface StartOptions {
  /** The initial content, also after a reset: the path of a seed file, or its content (docs/seed.md). */
  readonly seed?: string | object;
  /** The port on which it listens; 0 or omitted for a free one. */
  readonly port?: number;
  /** Whether to serve HTTPS, with a certificate of the service's own authority (the file `caCertificate`). */
  readonly tls?: boolean;
  /** Other settings by name, as in docs/settings.md: `{ 'strict-versions': true }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** The credentials of the callers of the API. */
export interface Credentials {
  /** An API key: user name and password of HTTP Digest. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** A service account, for access tokens. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** For operations under `/operator/v1`. */
  readonly operatorToken: string;
}

export interface ClusterOptions {
  /** The project of the cluster; the first one by default. */
  readonly groupId?: string;
  /** The body of the API request; an M10 replica set by default. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A running service, with everything that its callers need. */
export interface PortolanService extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly credentials: Credentials;
  /** The path of a PEM file, if the service uses HTTPS. */
  readonly caCertificate: string | undefined;
  /**
   * Creates a cluster. With the first cluster of a project it also creates a database user and an access-list entry for
   * this machine. Resolves when drivers can connect, with a connection string that has the user's credentials.
   */
  createCluster(name: string, options?: ClusterOptions): Promise<string>;
  /** The connection string of an existing cluster; it has a user's credentials if `createCluster` has created one. */
  connectionString(name: string, options?: Pick<ClusterOptions, 'groupId'>): Promise<string>;
  /** Restores the state after the start: same address, same credentials, no clusters. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const OPTIONS = ['seed', 'port', 'tls', 'settings'];

/**
 * Starts a service whose data is deleted with it, and resolves when it accepts requests. Rejects with a TypeError or
 * RangeError for invalid options, and with a `CompanionError` if the service cannot start.
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
  // Resets run one at a time, because the service rejects a second one meanwhile.
  const queue = new SerialQueue();
  const close = () => queue.run(() => askServices('closeService', { id }));
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
    reset: () => queue.run(() => askServices('resetService', { id })),
    close,
    [asyncDispose]: close,
  };
}
