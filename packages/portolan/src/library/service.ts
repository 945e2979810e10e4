/// <reference lib="esnext.disposable" preserve="true" />
import { asyncDispose } from '@portolan/engine/library/dispose';
import { checkNames, checkType, portOf } from '@portolan/engine/library/options';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import type { ServiceFacts } from './protocol.ts';
import { askServices } from './services.ts';

export interface StartOptions {
  /** The initial content, to which a reset returns: the path of a seed file, or its content (docs/seed.md). */
  readonly seed?: string | object;
  /** The port on which the service listens; a free one by default or for 0. */
  readonly port?: number;
  /** Whether to serve HTTPS, with a certificate of the service's own authority (the file `caCertificate`). */
  readonly tls?: boolean;
  /** Further settings by name, as in docs/settings.md: `{ 'strict-versions': true }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** The credentials for calling the API. */
export interface Credentials {
  /** The user name and password of an API key, for HTTP Digest. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** The client id and secret of a service account, for access tokens. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The token for operations under `/operator/v1`. */
  readonly operatorToken: string;
}

export interface ClusterOptions {
  /** The project of the cluster; by default, the first project. */
  readonly groupId?: string;
  /** The body of the API request; by default, an M10 replica set. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A running service, and what its callers need. */
export interface PortolanService extends AsyncDisposable {
  /** The URL of the service, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly credentials: Credentials;
  /** The path of a PEM file, if the service uses HTTPS. */
  readonly caCertificate: string | undefined;
  /**
   * Creates a cluster. The first call for a project also creates a database user and an access-list entry for this
   * machine. Resolves when drivers can connect, with a connection string that contains the user's credentials.
   */
  createCluster(name: string, options?: ClusterOptions): Promise<string>;
  /**
   * Returns the connection string of an existing cluster. It contains credentials if `createCluster` has created a user
   * for the project.
   */
  connectionString(name: string, options?: Pick<ClusterOptions, 'groupId'>): Promise<string>;
  /** Restores the state that followed the start: same address, same credentials, no clusters. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const OPTIONS = ['seed', 'port', 'tls', 'settings'];

/**
 * Starts a service that deletes its data when it is closed. Resolves when the service accepts requests. Rejects with a
 * TypeError or RangeError for invalid options, and with a `CompanionError` if the service cannot start.
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
  // Resets run one after another, since the service rejects a reset while another one runs.
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
