import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { wait } from '@portolan/foundation/wait';
import { type AddressCheck, addressCheck } from '../access/addresses.ts';
import { ANONYMOUS_ROOT, type WireUser } from '../access/caller.ts';
import { CertificateTrust } from '../access/certificate-trust.ts';
import { MAX_CONNECTIONS } from '../commands/shared/members.ts';
import type { UserSpec } from '../interface/engine.ts';
import type { MemberTraffic } from '../observe/member-traffic.ts';
import { sentLog } from '../observe/sent-events.ts';
import type { LastWrite, OwnUsers } from '../worker/protocol.ts';
import { closeInTurns } from './closing.ts';
import { Connection } from './connection.ts';
import type { ConnectionContext } from './connection-context.ts';
import { FailPoints } from './fail-point.ts';
import { ForwardedOfCluster } from './forwarded.ts';
import { HeldMemory } from './held-memory.ts';
import type { Listener } from './thread-protocol.ts';
import type { ThreadServices } from './thread-services.ts';
import { TlsGate } from './tls-gate.ts';
import { TopologyVersion } from './topology-version.ts';
import { Traffic } from './traffic.ts';
import { ClusterTurns } from './turns.ts';
import type { ClusterView } from './view.ts';
import type { Answered, UnsentRequest, WorkerLink } from './worker-link.ts';

/** The time after which the loss of a peer is detected. It is two minutes, as in the server. */
const KEEP_ALIVE_MS = 120_000;
/**
 * A member that is being removed is reported and served until it has received no request for this time. Before that,
 * drivers may still be opening connections to it. If the member disappeared earlier, operations that wait for such a
 * connection would fail in the official Node.js driver (7.9) without a retry.
 */
const QUIET_MS = 250;
/** Maximum number of periods of `QUIET_MS` that the removal of a member waits if requests continue: 2 s in total. */
const MAX_QUIET_STEPS = 8;
/**
 * The time for which connections stay open after the port of their member has been closed. Drivers notice the removal
 * and disconnect themselves, usually within a tenth of a second. If the engine closed a connection while a driver is
 * sending, the driver might not retry (official Node.js driver, 7.9). The server waits 15 s at shutdown.
 */
const DISCONNECT_DELAY_MS = 2_000;
const BACKLOG = 1024;
const PROCESS_ID_BYTES = 12;

/** The ports and connections of a cluster in a connection thread, and the link to the query thread of the cluster. */
export class ConnectedCluster implements ConnectionContext {
  readonly services: ThreadServices;
  readonly topology: TopologyVersion;
  readonly failPoints: FailPoints;
  view: ClusterView;
  trust = new CertificateTrust();
  /** The authorities of `trust`. */
  #trusted: ClusterView['access']['authorities'];
  lastWrite: LastWrite | undefined;
  readonly forwarded = new ForwardedOfCluster();
  readonly held = new HeldMemory(this.forwarded, () => this.services.heldMuch?.());
  readonly turns = new ClusterTurns();
  readonly slowReads = new SerialQueue();
  readonly slowWrites = new SerialQueue();
  readonly #gate: TlsGate | undefined;
  readonly #servers = new Map<string, Server>();
  /** TCP servers that accept no new connections but still have open connections. */
  readonly #closing = new Set<Server>();
  readonly #connections = new Set<Connection>();
  /** Functions that cancel the delayed closing of a member's connections, by member id. */
  readonly #disconnects = new Map<string, () => void>();
  readonly #traffic = new Map<string, Traffic>();
  #users = new Map<string, UserSpec>();
  #own: OwnUsers | undefined;
  #allowed: AddressCheck = () => false;
  #link: WorkerLink | undefined;
  /** The links to every query thread that has run commands of the cluster. */
  readonly #links = new Set<WorkerLink>();
  /** The requests that wait for a link, by connection id. */
  #waiting = new Map<number, Array<readonly [UnsentRequest, Answered]>>();

  constructor(view: ClusterView, services: ThreadServices) {
    this.services = services;
    this.failPoints = new FailPoints(services.random);
    this.topology = new TopologyVersion(services.random.bytes(PROCESS_ID_BYTES), services.after);
    this.view = view;
    this.#gate = services.certificate === undefined ? undefined : this.#makeGate();
    this.configure(view);
  }

  configure(view: ClusterView): void {
    const changed = !isDeepStrictEqual(topologyOf(view), topologyOf(this.view));
    // Keep the chains of certificates that have been verified.
    if (!isDeepStrictEqual(view.access.authorities, this.#trusted)) {
      this.#trusted = view.access.authorities;
      this.trust = new CertificateTrust(view.access.authorities);
    }
    this.view = view;
    this.failPoints.declare(view.faults ?? []);
    if (changed) this.topology.increment();
    this.updateCertificate();
    for (const server of this.#servers.values()) server.maxConnections = this.#mostConnections;
    this.#allowed = addressCheck(view.access.addresses);
    if (view.own !== undefined && isNewer(view.own, this.#own)) this.#own = view.own;
    this.#refresh();
  }

  /** Sets the users that commands have created, unless newer users are already known. */
  setOwnUsers(own: OwnUsers): void {
    if (!isNewer(own, this.#own)) return;
    this.#own = own;
    this.#refresh();
  }

  #refresh(): void {
    const all = [...(this.#own?.users ?? []), ...this.view.access.users];
    this.#users = new Map(all.map((user) => [key(user.database, user.username), user]));
    const refused: Connection[] = [];
    for (const connection of this.#connections) {
      if (this.#allowed(connection.address)) connection.login.refresh();
      else refused.push(connection);
    }
    void closeInTurns(refused);
  }

  /** Uses the current certificate for later connections. */
  updateCertificate(): void {
    const certificate = this.services.certificate?.();
    if (certificate === undefined) return;
    const { minimumTlsProtocol: minimum, access } = this.view;
    this.#gate?.configure(certificate, { minimum, authorities: Object.values(access.authorities ?? {}) });
  }

  find(database: string, username: string): UserSpec | undefined {
    return this.#users.get(key(database, username));
  }

  get anyone(): WireUser | undefined {
    return this.view.access.open ? ANONYMOUS_ROOT : undefined;
  }

  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number {
    return this.services.now();
  }

  get decoySecret(): string {
    return this.view.decoySecret;
  }

  /** Resolves to the port when it accepts connections. Rejects with the error of the operating system. */
  async listen({ memberId, host, port }: Listener): Promise<number> {
    const known = this.#servers.get(memberId);
    if (known !== undefined) return portOf(known);
    const server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
      (socket) => this.#accept(socket, memberId),
    );
    server.maxConnections = this.#mostConnections;
    server.on('drop', () => this.#connectionRejected(memberId));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, resolve);
    });
    // Ignore the error. If accepting a connection fails, for example because too many files are open, only that
    // connection is affected.
    server.on('error', () => {});
    this.#servers.set(memberId, server);
    this.#disconnects.get(memberId)?.();
    this.#disconnects.delete(memberId);
    return portOf(server);
  }

  get #mostConnections(): number {
    return Math.min(this.view.mostConnections ?? MAX_CONNECTIONS, MAX_CONNECTIONS);
  }

  /** Counts a connection that was rejected because of the connection limit, as the server does. */
  #connectionRejected(memberId: string): void {
    const traffic = this.trafficOf(memberId);
    traffic.rejected++;
    // Log only if the number of rejected connections is a power of two. Otherwise a busy client would fill the log.
    if ((traffic.rejected & (traffic.rejected - 1)) !== 0) return;
    const attr = { maxConns: this.#mostConnections, rejected: traffic.rejected };
    const msg = 'Connection refused because there are too many open connections';
    const event = { member: memberId, s: 'I', c: 'NETWORK', id: 22942, ctx: 'listener', msg, attr } as const;
    this.services.observe(this.view.clusterId, { kind: 'log', event: sentLog(event) });
  }

  /**
   * Resolves when these members have no connections, or have received no request for `QUIET_MS`. Resolves after 2 s at
   * the latest.
   */
  async drain(memberIds: readonly string[]): Promise<void> {
    const requests = () => memberIds.reduce((sum, id) => sum + this.trafficOf(id).requests, 0);
    for (let steps = 0; steps < MAX_QUIET_STEPS; steps++) {
      if (![...this.#connections].some(({ memberId }) => memberIds.includes(memberId))) return;
      const before = requests();
      await wait(this.services, QUIET_MS);
      if (requests() === before) return;
    }
  }

  /**
   * Closes the port of a member. Its connections stay open for `DISCONNECT_DELAY_MS`, unless their peers close them
   * earlier. If the member listens again within this time, the connections stay open, because clients may already use
   * the member again.
   */
  unlisten(memberId: string): void {
    const server = this.#servers.get(memberId);
    this.#servers.delete(memberId);
    if (server === undefined) return;
    this.#gate?.drop(portOf(server));
    this.#closing.add(server);
    server.close(() => this.#closing.delete(server));
    const remaining = [...this.#connections].filter((connection) => connection.memberId === memberId);
    const cancel = this.services.after(DISCONNECT_DELAY_MS, () => {
      this.#disconnects.delete(memberId);
      void closeInTurns(remaining);
    });
    this.#disconnects.set(memberId, cancel);
  }

  async close(): Promise<void> {
    for (const connectionId of [...this.#waiting.keys()]) this.#dropWaiting(connectionId, () => true);
    for (const memberId of [...this.#servers.keys()]) this.unlisten(memberId);
    const closed = [...this.#closing].map((server) => once(server, 'close'));
    await Promise.all([closeInTurns(this.#connections), ...closed]);
  }

  /** Sets the time of the newest write. */
  setLastWrite(write: LastWrite): void {
    this.lastWrite = write;
  }

  trafficOf(memberId: string): Traffic {
    let traffic = this.#traffic.get(memberId);
    if (traffic === undefined) {
      traffic = new Traffic();
      this.#traffic.set(memberId, traffic);
    }
    return traffic;
  }

  /** Returns the current traffic of a member. If `each` is true, the result contains a list of connections. */
  trafficFacts(memberId: string, each: boolean): MemberTraffic {
    const facts = this.trafficOf(memberId).facts(this.#mostConnections);
    if (!each) return facts;
    const connections = [...this.#connections].filter((connection) => connection.memberId === memberId);
    return { ...facts, connections: connections.map(({ caller }) => caller) };
  }

  /** Reports a closed connection to every query thread that may have received requests of this connection. */
  gone(connectionId: number): void {
    for (const link of this.#links) link.gone(connectionId);
    this.#dropWaiting(connectionId, ({ moreToCome }) => moreToCome !== true);
  }

  /** Drops those requests of a connection that wait for a link, and for which `drops` returns true. */
  #dropWaiting(connectionId: number, drops: (request: UnsentRequest) => boolean): void {
    const waiting = this.#waiting.get(connectionId) ?? [];
    const kept = waiting.filter(([request]) => !drops(request));
    if (kept.length === 0) this.#waiting.delete(connectionId);
    else this.#waiting.set(connectionId, kept);
    for (const [request, answered] of waiting) if (drops(request)) answered.lost();
  }

  /** Sets the link to the query thread and sends the requests that waited for it. */
  route(link: WorkerLink | undefined): void {
    this.#link = link;
    for (const former of this.#links) if (former.closed) this.#links.delete(former);
    if (link === undefined) return;
    this.#links.add(link);
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const open = new Set([...this.#connections].map(({ id }) => id));
    for (const [connectionId, requests] of waiting) {
      for (const [request, answered] of requests) link.send(request, answered);
      if (!open.has(connectionId)) link.gone(connectionId);
    }
  }

  send(request: UnsentRequest, answered: Answered): void {
    if (this.#link !== undefined) {
      this.#link.send(request, answered);
      return;
    }
    const { connectionId } = request.caller;
    const waiting = this.#waiting.get(connectionId);
    if (waiting === undefined) this.#waiting.set(connectionId, [[request, answered]]);
    else waiting.push([request, answered]);
  }

  #accept(socket: Socket, memberId: string): void {
    if (!this.#allowed(socket.remoteAddress ?? '') || !this.services.limiter.acquire(socket))
      socket.destroy();
    else if (this.#gate === undefined) this.#connect(socket, memberId);
    else this.#gate.accept(socket);
  }

  #connect(socket: Socket, memberId: string): void {
    const connection = new Connection(socket, memberId, this);
    this.#connections.add(connection);
    this.trafficOf(memberId).open++;
    this.#logConnection('Connection accepted', 22943, connection);
    socket.once('close', () => {
      this.#connections.delete(connection);
      this.trafficOf(memberId).open--;
      this.#logConnection('Connection ended', 22944, connection);
    });
  }

  #logConnection(msg: string, id: number, { id: connectionId, memberId: member, caller }: Connection): void {
    const connectionCount = this.trafficOf(member).open;
    const attr = { remote: caller.remote, connectionId, connectionCount };
    const ctx = id === 22943 ? 'listener' : `conn${connectionId}`;
    const event = { member, s: 'I', c: 'NETWORK', id, ctx, msg, attr } as const;
    this.services.observe(this.view.clusterId, { kind: 'log', event: sentLog(event) });
  }

  /** Returns the traffic by member id. */
  traffic(): Record<string, MemberTraffic> {
    return Object.fromEntries(
      [...this.#traffic.keys()].map((member) => [member, this.trafficFacts(member, false)]),
    );
  }

  #makeGate(): TlsGate {
    const { clusterId } = this.view;
    return new TlsGate({
      secured: (socket) => {
        const member = [...this.#servers].find(([, server]) => portOf(server) === socket.localPort);
        // During the handshake, the member was stopped, or the address was removed from the access list. In both cases,
        // close the connection.
        if (member === undefined || !this.#allowed(socket.remoteAddress ?? '')) socket.destroy();
        else this.#connect(socket, member[0]);
      },
      rejected: (remote, reason) => this.services.onRejected({ clusterId, remote, reason }),
    });
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/** Returns the fields of the view from which the replies to `hello` are made. */
function topologyOf({
  access: _,
  decoySecret: __,
  own: ___,
  mostConnections: ____,
  faults: _____,
  ...topology
}: ClusterView): object {
  return topology;
}

function isNewer(own: OwnUsers, known: OwnUsers | undefined): boolean {
  return known === undefined || own.revision > known.revision;
}

function key(database: string, username: string): string {
  return `${database}.${username}`;
}
