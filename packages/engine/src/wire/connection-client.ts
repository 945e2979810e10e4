import type { Socket } from 'node:net';
import type { WireCaller } from '../access/caller.ts';
import { documentOf, RawDocument } from '../bson/raw.ts';
import type { ServerError } from '../errors/server-error.ts';
import { sentAudit } from '../observe/sent-events.ts';
import { clientCertificate } from './client-certificate.ts';
import { metadataError, repeatedMetadata } from './client-metadata.ts';
import type { ConnectionContext } from './connection-context.ts';
import { Login, type LoginAttempt } from './login.ts';

const AUTHENTICATION_FAILED = 18;

/** The client of a connection: its address, application name, login and audit events. */
export class ConnectionClient {
  /** The address of the client, for example `192.0.2.1`. */
  readonly address: string;
  /** The address and port of the client, for example `192.0.2.1:50000`. */
  readonly remote: string;
  readonly login: Login;
  readonly #socket: Socket;
  readonly #cluster: ConnectionContext;
  readonly #connectionId: number;
  readonly #memberId: string;
  /** The application name from the first `hello` command. */
  #appName: string | undefined;
  #greeted = false;
  /** The error that the metadata of the last `hello` command causes. */
  metadataError: ServerError | undefined;
  #caller: WireCaller | undefined;

  constructor(socket: Socket, cluster: ConnectionContext, connectionId: number, memberId: string) {
    this.#socket = socket;
    this.#cluster = cluster;
    this.#connectionId = connectionId;
    this.#memberId = memberId;
    this.address = socket.remoteAddress ?? '';
    this.remote = `${this.address}:${socket.remotePort}`;
    const endpoints = {
      client: this.address,
      server: socket.localAddress ?? '',
      certificate: () => clientCertificate(socket),
    };
    const observe = (attempt: LoginAttempt) => this.#observeLogin(attempt);
    this.login = new Login(cluster, cluster.services.random, observe, endpoints);
  }

  get appName(): string | undefined {
    return this.#appName;
  }

  /**
   * The caller of the connection's commands. Returns the same object until the user or the application name changes.
   */
  get caller(): WireCaller {
    const { user } = this.login;
    if (this.#caller === undefined || this.#caller.user !== user) {
      const appName = this.#appName === undefined ? {} : { appName: this.#appName };
      const { remote } = this;
      const caller = { connectionId: this.#connectionId, remote, member: this.#memberId, ...appName };
      this.#caller = user === undefined ? caller : { ...caller, user };
    }
    return this.#caller;
  }

  /** Records an audit event if the cluster has an audit stream. */
  audit(atype: string, param: object, result: number): void {
    const { services, view } = this.#cluster;
    if (view.auditing !== true) return;
    services.observe(view.clusterId, {
      kind: 'audit',
      event: sentAudit({ atype, caller: this.caller, param, result }),
    });
  }

  /**
   * Reads the application name, and audits the metadata. Only the first `hello` command may contain client metadata.
   */
  readMetadata(greeting: Uint8Array): void {
    const clientMetadata = RawDocument.of(greeting).get('client');
    const repeated = this.#greeted;
    this.#greeted = true;
    this.metadataError = undefined;
    if (clientMetadata === undefined) return;
    this.metadataError = repeated ? repeatedMetadata() : metadataError(clientMetadata, this.#isOfRouter);
    if (this.metadataError !== undefined) return;
    const { localAddress: ip = '', localPort: port = 0 } = this.#socket;
    this.audit('clientMetadata', { localEndpoint: { ip, port }, clientMetadata }, 0);
    const name = documentOf(clientMetadata).document('application')?.string('name');
    if (name === undefined) return;
    this.#appName = name;
    this.#caller = undefined;
  }

  get #isOfRouter(): boolean {
    return this.#cluster.view.members.some(({ id, kind }) => id === this.#memberId && kind === 'router');
  }

  #observeLogin(attempt: LoginAttempt): void {
    const { services, view } = this.#cluster;
    const { username: user, database: db, mechanism, failure } = attempt;
    const origin = { member: this.#memberId, connectionId: this.#connectionId, remote: this.remote };
    services.observe(view.clusterId, { kind: 'login', login: { ...attempt, ...origin } });
    this.audit('authenticate', { user, db, mechanism }, failure === undefined ? 0 : AUTHENTICATION_FAILED);
  }
}
