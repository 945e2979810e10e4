import { createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../../runtime/random.ts';
import type { UserSpec } from '../../engine.ts';
import { type AddressCheck, addressCheck } from '../access/addresses.ts';
import { Connection } from './connection.ts';
import type { Accounts, LoginAttempt } from './login.ts';
import type { Listener } from './thread-protocol.ts';
import type { ClusterView } from './view.ts';
import type { Answered, UnsentRequest, WorkerLink } from './worker-link.ts';

/** What every cluster of a connection thread shares. */
export interface Surroundings {
  readonly random: Random;
  /** Service time in milliseconds. */
  now(): number;
  nextConnectionId(): number;
  onLogin(attempt: LoginAttempt & { clusterId: string; remote: string }): void;
  onRefused(what: { clusterId: string; remote: string; reason: string }): void;
}

/** As the reference server: a peer that is gone without a word is noticed after two minutes. */
const KEEP_ALIVE_MS = 120_000;
const BACKLOG = 1024;

/** One cluster as a connection thread sees it: its ports, its connections and the way to its query worker. */
export class EdgeCluster implements Accounts {
  readonly surroundings: Surroundings;
  view: ClusterView;
  readonly #servers = new Map<string, Server>();
  readonly #connections = new Set<Connection>();
  #users = new Map<string, UserSpec>();
  #allowed: AddressCheck = () => false;
  #link: WorkerLink | undefined;
  #waiting: Array<(link: WorkerLink) => void> = [];

  constructor(view: ClusterView, surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.view = view;
    this.configure(view);
  }

  configure(view: ClusterView): void {
    this.view = view;
    this.#users = new Map(view.access.users.map((user) => [key(user.database, user.username), user]));
    this.#allowed = addressCheck(view.access.addresses);
    for (const connection of this.#connections) {
      if (this.#allowed(connection.address)) connection.login.refresh();
      else connection.destroy();
    }
  }

  find(database: string, username: string): UserSpec | undefined {
    return this.#users.get(key(database, username));
  }

  get decoySecret(): string {
    return this.view.decoySecret;
  }

  /** Resolves with the port when it accepts connections; rejects with the system's error. */
  async listen({ memberId, host, port }: Listener): Promise<number> {
    const known = this.#servers.get(memberId);
    if (known !== undefined) return portOf(known);
    const server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
      (socket) => this.#accept(socket, memberId),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, resolve);
    });
    // Errors of single accepts (too many open files) concern the connections that were refused.
    server.on('error', () => {});
    this.#servers.set(memberId, server);
    return portOf(server);
  }

  async unlisten(memberId: string): Promise<void> {
    const server = this.#servers.get(memberId);
    this.#servers.delete(memberId);
    for (const connection of this.#connections) if (connection.memberId === memberId) connection.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  async close(): Promise<void> {
    this.#waiting = [];
    await Promise.all([...this.#servers.keys()].map((memberId) => this.unlisten(memberId)));
  }

  /** Requests that have waited for a worker go out. */
  route(link: WorkerLink | undefined): void {
    this.#link = link;
    if (link === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const send of waiting) send(link);
  }

  send(request: UnsentRequest, answered: Answered): void {
    if (this.#link !== undefined) this.#link.send(request, answered);
    else this.#waiting.push((link) => link.send(request, answered));
  }

  #accept(socket: Socket, memberId: string): void {
    if (!this.#allowed(socket.remoteAddress ?? '')) {
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, memberId, this);
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

function key(database: string, username: string): string {
  return `${database}.${username}`;
}
