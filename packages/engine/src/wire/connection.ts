import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { BSONError, type Document, Double, deserialize, serialize } from 'bson';
import type { WireCaller } from '../access/caller.ts';
import { RawDocument } from '../bson/raw.ts';
import { ServerError } from '../errors/server-error.ts';
import { commandName, MAX_MESSAGE_BYTES, type OpMsg, type OpQuery, parseMessage } from '../message/codec.ts';
import { MalformedMessage, walkSections } from '../message/sections.ts';
import { type Expanded, expand, isCompressed } from './compressed.ts';
import type { Compressor } from './compression.ts';
import { type Answer, answerHere, isHello } from './connection-commands.ts';
import type { ConnectionContext } from './connection-context.ts';
import { type Failure, withWriteConcernError } from './fail-point-answers.ts';
import { FrameReader } from './frame-reader.ts';
import { clusterTimes } from './hello.ts';
import { Login, type LoginAttempt } from './login.ts';
import { asksForTraffic, hasMore } from './look-inside.ts';
import { ReplyWriter } from './reply-writer.ts';
import { tellsStateChange, withTopologyVersion } from './state-change.ts';
import { awaitOf, type HelloAwait } from './topology-version.ts';
import type { Traffic } from './traffic.ts';

/** The server answers `ok` as a double. */
const SUCCESS = new Double(1);
const FAILURE = new Double(0);

/** A greeting or a step of a log-in is under 2 KB; nobody unknown may make the host hold more than this. */
const BEFORE_LOGIN_BYTES = 65_536;
/** Bytes that may wait behind a request that is not answered yet before reading stops. */
const READ_AHEAD_BYTES = 65_536;
/** Bytes of requests without answer that may be under way. */
const UNANSWERED_BYTES = MAX_MESSAGE_BYTES;
/** As for a TLS handshake: drivers greet at once, and whoever says nothing must not hold a place. */
const FIRST_MESSAGE_MS = 10_000;
/** How long greetings may take to tell what a query worker knows already. */
const TOPOLOGY_MS = 1_000;
const AUTHENTICATION_FAILED = 18;
/** Of a program, in characters: as much as the reference server takes. */
const LONGEST_NAME = 128;
/** Of a greeting; its driver's own part is 512 bytes at most. */
const MOST_METADATA = 4096;

/** A command that this thread answers itself. */
interface OwnRequest {
  readonly command: Answer;
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Greeted = Pick<OpMsg, 'requestId' | 'exhaustAllowed' | 'sections'>;

/** Answers an error in the place of a command. */
type Refusal = (error: NonNullable<Failure['error']>) => void;

const nothing = () => {};

/** One connection of a driver to one member. */
export class Connection {
  readonly id: number;
  readonly memberId: string;
  /** `192.0.2.1` */
  readonly address: string;
  readonly login: Login;
  readonly #socket: Socket;
  readonly #cluster: ConnectionContext;
  readonly #reader = new FrameReader(BEFORE_LOGIN_BYTES);
  readonly #writer: ReplyWriter;
  readonly #remote: string;
  readonly #traffic: Traffic;
  /** As the driver has named the program in its first greeting. */
  #appName: string | undefined;
  /** A greeting has told of its driver. */
  #met = false;
  #caller: WireCaller | undefined;
  #awaiting = false;
  #unanswered = 0;
  /** Requests that a query worker has and has not answered. */
  #forwarded = 0;
  /** What a fail point does to the answer that is under way. */
  #added: Pick<Failure, 'writeConcernError' | 'closesAfter' | 'untimed'> | undefined;
  #cancelWait = () => {};
  #spoke: () => void;

  constructor(socket: Socket, memberId: string, cluster: ConnectionContext) {
    const { services } = cluster;
    this.id = services.nextConnectionId();
    this.memberId = memberId;
    this.address = socket.remoteAddress ?? '';
    this.#remote = `${this.address}:${socket.remotePort}`;
    const where = { client: this.address, server: socket.localAddress ?? '' };
    this.login = new Login(cluster, services.random, (attempt) => this.#observeLogin(attempt), where);
    this.#socket = socket;
    this.#traffic = cluster.trafficOf(memberId);
    this.#traffic.totalCreated++;
    this.#writer = new ReplyWriter(socket, this.#traffic);
    this.#cluster = cluster;
    this.#spoke = services.after(FIRST_MESSAGE_MS, () => this.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.#traffic.bytesIn += chunk.length;
      this.#reader.push(chunk);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
    socket.on('close', () => {
      this.#cancelWait();
      this.#spoke();
      this.#cluster.gone(this.id);
      this.#traffic.active -= this.#forwarded;
      this.#forwarded = 0;
    });
    // A reset by the peer; `close` follows.
    socket.on('error', () => {});
  }

  #observeLogin(attempt: LoginAttempt): void {
    const { services, view } = this.#cluster;
    const { username: user, database: db, mechanism, failure } = attempt;
    const who = { member: this.memberId, connectionId: this.id, remote: this.#remote };
    services.observe(view.clusterId, { kind: 'login', login: { ...attempt, ...who } });
    this.audit('authenticate', { user, db, mechanism }, failure === undefined ? 0 : AUTHENTICATION_FAILED);
  }

  /** Tells the audit stream, where there is one. */
  audit(atype: string, param: object, result: number): void {
    const { services, view } = this.#cluster;
    if (view.auditing !== true) return;
    services.observe(view.clusterId, {
      kind: 'audit',
      event: { atype, caller: this.caller, param, result },
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Takes messages one after another, as long as answers are given and read. */
  #pump(): void {
    this.#guard(() => {
      while (this.#ready()) {
        this.#reader.limit = this.login.user === undefined ? BEFORE_LOGIN_BYTES : MAX_MESSAGE_BYTES;
        const bytes = this.#reader.next();
        if (bytes === undefined) break;
        this.#take(bytes);
      }
    });
    if (!this.#ready() && this.#reader.buffered > READ_AHEAD_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #ready(): boolean {
    const { destroyed, writableNeedDrain } = this.#socket;
    return !this.#awaiting && !destroyed && !writableNeedDrain && this.#unanswered < UNANSWERED_BYTES;
  }

  /** Whatever is wrong with a message, or goes wrong with it here, costs its own connection alone. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    this.destroy();
    const expected = error instanceof MalformedMessage || error instanceof BSONError;
    const reason =
      error instanceof Error ? ((expected ? undefined : error.stack) ?? error.message) : `${error}`;
    const { clusterId } = this.#cluster.view;
    this.#cluster.services.onRefused({ clusterId, remote: this.#remote, reason });
  }

  #take(bytes: Buffer): void {
    this.#traffic.requests++;
    this.#spoke();
    this.#spoke = nothing;
    if (!isCompressed(bytes)) {
      this.#handle(parseMessage(bytes));
      return;
    }
    const handle = (expanded: Expanded) => this.#handle(parseMessage(expanded.bytes), expanded.compressor);
    const expanded = expand(bytes, this.#reader.limit);
    if (expanded instanceof Promise) this.#wait(expanded, handle);
    else handle(expanded);
  }

  /** Takes no further message until `promise` is fulfilled and what follows it is done. */
  #wait<T>(promise: Promise<T>, then: (result: T) => void = () => {}): void {
    this.#awaiting = true;
    promise
      .then((result) => {
        this.#awaiting = false;
        if (this.#socket.destroyed) return;
        then(result);
        this.#pump();
      })
      .catch((error) => this.#refuse(error));
  }

  #handle(message: OpMsg | OpQuery, compressor?: Compressor): void {
    if (message.kind === 'query') this.#answerQuery(message);
    else this.#answerMsg(message, compressor);
  }

  #answerMsg(message: OpMsg, compressor: Compressor | undefined): void {
    const bytes = walkSections(message.sections);
    const name = commandName(bytes) ?? '';
    if (isHello(name)) this.#meet(bytes);
    const failure = this.#failureOf(name, message.sections);
    if (failure === undefined) this.#answerCommand(message, bytes, name, compressor);
    else {
      this.#meetFailure(failure, this.#refusal(message), () =>
        this.#answerCommand(message, bytes, name, compressor),
      );
    }
  }

  #refusal(message: Pick<OpMsg, 'requestId' | 'sections'> & { readonly moreToCome?: boolean }): Refusal {
    return (error) => {
      if (message.moreToCome !== true) this.#reply(message, serialize(error(message.sections)));
    };
  }

  #failureOf(command: string, sections?: Uint8Array): Failure | undefined {
    const { view, failPoints } = this.#cluster;
    if (!failPoints.any) return undefined;
    const members = view.members.filter(({ kind }) => kind !== 'router').map(({ id }) => id);
    return failPoints.meet(this.memberId, { command, appName: this.#appName, sections, members });
  }

  /** `otherwise`: the command is run after all. */
  #meetFailure({ blockMs, ...failure }: Failure, refuse: Refusal, otherwise: () => void): void {
    const { closeConnection, error } = failure;
    if (blockMs > 0) {
      this.#awaiting = true;
      this.#cancelWait = this.#cluster.services.after(blockMs, () => {
        this.#awaiting = false;
        this.#guard(() => this.#meetFailure({ ...failure, blockMs: 0 }, refuse, otherwise));
        this.#pump();
      });
    } else if (closeConnection) this.destroy();
    else if (error !== undefined) refuse(error);
    else {
      this.#added = failure;
      otherwise();
    }
  }

  #answerCommand(message: OpMsg, bytes: Uint8Array, name: string, compressor: Compressor | undefined): void {
    const command = answerHere(name, this.#cluster.view);
    if (command === undefined) {
      this.#forward(message, name, compressor);
      return;
    }
    this.#added = undefined;
    const request = { command, name, bytes };
    const wait = message.moreToCome || !isHello(name) ? undefined : this.#awaitOf(bytes);
    if (wait !== undefined) this.#await(request, message, wait);
    else {
      const answer = this.#run(request);
      if (!message.moreToCome) this.#reply(message, answer, compressor);
    }
  }

  /** Keeps what the first greeting says of the program. */
  #meet(greeting: Uint8Array): void {
    if (this.#met) return;
    const { client } = deserialize(greeting);
    if (typeof client !== 'object' || client === null) return;
    this.#met = true;
    const { localAddress: ip = '', localPort: port = 0 } = this.#socket;
    const localEndpoint = { ip, port };
    if (greeting.length <= MOST_METADATA) {
      this.audit('clientMetadata', { localEndpoint, clientMetadata: client }, 0);
    }
    const name: unknown = client.application?.name;
    if (typeof name !== 'string') return;
    this.#appName = name.slice(0, LONGEST_NAME);
    this.#caller = undefined;
  }

  /** How long the greeting may wait; one that asks for it wrongly is refused when it is run. */
  #awaitOf(bytes: Uint8Array): HelloAwait | undefined {
    try {
      return awaitOf(deserialize(bytes), this.#cluster.topology.current);
    } catch (error) {
      if (error instanceof ServerError) return undefined;
      throw error;
    }
  }

  /** Greets when the topology is another than the driver knows, or when it has waited for long enough. */
  #await(request: OwnRequest, message: Greeted, { known, ms }: HelloAwait): void {
    const { topology } = this.#cluster;
    if (!topology.is(known)) {
      this.#greet(request, message, ms);
      return;
    }
    this.#awaiting = true;
    this.#cancelWait = topology.wait(ms, () => {
      this.#awaiting = false;
      this.#guard(() => this.#greet(request, message, ms));
      this.#pump();
    });
  }

  /** Goes on greeting, without being asked again, if the driver takes that. */
  #greet(request: OwnRequest, message: Greeted, ms: number): void {
    const document = this.#run(request);
    if (!message.exhaustAllowed) {
      this.#reply(message, document);
      return;
    }
    // A driver that does not read what it has asked for; it would pile up here.
    if (this.#socket.writableNeedDrain) throw new MalformedMessage('greetings that nobody reads');
    const next = { ...message, requestId: this.#writer.streamed(message.requestId, document) };
    const goOn = () => this.#await(request, next, { known: this.#cluster.topology.current, ms });
    // Each further greeting counts as one that was asked for.
    const failure = this.#failureOf(request.name, message.sections);
    if (failure === undefined) goOn();
    else this.#meetFailure(failure, this.#refusal(next), goOn);
  }

  /** Drivers greet with OP_QUERY until they know that OP_MSG is understood. */
  #answerQuery(message: OpQuery): void {
    const name = commandName(message.query) ?? '';
    if (isHello(name)) this.#meet(message.query);
    const command: Answer = isHello(name)
      ? (answerHere(name, this.#cluster.view) as Answer)
      : () => {
          throw new ServerError('UnsupportedOpQueryCommand', `Unsupported OP_QUERY command: ${name}`);
        };
    const answer = () => this.#writer.query(message, this.#run({ command, name, bytes: message.query }));
    const failure = isHello(name) ? this.#failureOf(name) : undefined;
    if (failure === undefined) answer();
    else this.#meetFailure(failure, (error) => this.#writer.query(message, serialize(error())), answer);
  }

  #run({ command, name, bytes }: OwnRequest): Uint8Array {
    const { view, services, topology } = this.#cluster;
    const { memberId, login } = this;
    const { lastWrite, failPoints } = this.#cluster;
    const reach = {
      audit: (atype: string, param: object, result: number) => this.audit(atype, param, result),
      findUser: (database: string, username: string) => this.#cluster.find(database, username),
    };
    const facts = {
      ...reach,
      connectionId: this.id,
      cameBy: (this.#socket instanceof TLSSocket && this.#socket.servername) || undefined,
      now: services.now(),
      topology,
      lastWrite,
      failPoints,
    };
    try {
      const answer: Document = command({ name, body: deserialize(bytes), view, memberId, login, ...facts });
      return serialize({ ...answer, ok: SUCCESS, ...clusterTimes(facts) });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { message: errmsg, code, codeName, more } = error;
      return serialize({ ok: FAILURE, errmsg, code, codeName, ...more, ...clusterTimes(facts) });
    }
  }

  #forward(message: OpMsg, name: string, compressor: Compressor | undefined): void {
    const { sections } = message;
    const size = sections.byteLength;
    if (message.moreToCome) this.#unanswered += size;
    else this.#awaiting = true;
    this.#forwarded++;
    this.#traffic.active++;
    const asked = asksForTraffic(name, sections);
    const traffic = asked && this.#cluster.trafficFacts(this.memberId, asked === 'connections');
    const request = {
      clusterId: this.#cluster.view.clusterId,
      caller: this.caller,
      sections,
      ...(traffic === undefined ? {} : { traffic }),
      ...(this.#added?.untimed === true ? { untimed: true } : {}),
    };
    this.#cluster.send(request, {
      reply: (document) => {
        // It was taken off when the connection ended.
        if (this.#socket.destroyed) return;
        this.#forwarded--;
        this.#traffic.active--;
        if (message.moreToCome) this.#unanswered -= size;
        else {
          this.#awaiting = false;
          if (message.exhaustAllowed && name === 'getMore' && hasMore(document)) {
            this.#goOn(message, name, document);
          } else {
            const answer = this.#withAdded(message, document);
            if (answer === undefined) this.destroy();
            else this.#replyFrom(message, answer, compressor);
          }
        }
        this.#pump();
      },
      lost: () => this.destroy(),
    });
  }

  /** Asks the cursor for more without being asked, as soon as what there was is on its way. */
  #goOn(message: OpMsg, name: string, document: Uint8Array): void {
    const requestId = this.#writer.streamed(message.requestId, document);
    this.#awaiting = true;
    const next = () => {
      if (!this.#socket.destroyed) this.#forward({ ...message, requestId }, name, undefined);
    };
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', next);
    else next();
  }

  get caller(): WireCaller {
    const { user } = this.login;
    if (this.#caller === undefined || this.#caller.user !== user) {
      const appName = this.#appName === undefined ? {} : { appName: this.#appName };
      const caller = { connectionId: this.id, remote: this.#remote, member: this.memberId, ...appName };
      this.#caller = user === undefined ? caller : { ...caller, user };
    }
    return this.#caller;
  }

  /** What a fail point adds to the answer of the command that met it; none where the connection is to end. */
  #withAdded({ sections }: OpMsg, document: Uint8Array): Uint8Array | undefined {
    const added = this.#added;
    if (added === undefined) return document;
    this.#added = undefined;
    if (added.closesAfter?.(new RawDocument(document)) === true) return undefined;
    const { writeConcernError } = added;
    return writeConcernError === undefined
      ? document
      : withWriteConcernError(document, writeConcernError, sections);
  }

  /**
   * An error about the member's own state is told when greetings tell of it too: by the version of the topology a
   * driver knows whether it is announced.
   */
  #replyFrom(message: OpMsg, document: Uint8Array, compressor: Compressor | undefined): void {
    if (!tellsStateChange(document)) {
      this.#reply(message, document, compressor);
      return;
    }
    const { topology, view } = this.#cluster;
    const reply = () =>
      this.#reply(message, withTopologyVersion(document, topology.toDocument()), compressor);
    const own = view.members.find(({ id }) => id === this.memberId);
    if (own?.state !== 'PRIMARY') {
      reply();
      return;
    }
    this.#awaiting = true;
    this.#cancelWait = topology.wait(TOPOLOGY_MS, () => {
      this.#awaiting = false;
      this.#guard(reply);
      this.#pump();
    });
  }

  /** The answer comes in the form of the request. */
  #reply(message: Pick<OpMsg, 'requestId'>, document: Uint8Array, compressor?: Compressor): void {
    const written = this.#writer.msg(message, document, compressor);
    if (written !== undefined) this.#wait(written);
  }
}
