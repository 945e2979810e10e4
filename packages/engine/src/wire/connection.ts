import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { serialize } from 'bson';
import type { WireCaller } from '../access/caller.ts';
import { commandName, MAX_MESSAGE_BYTES, type OpMsg, type OpQuery } from '../message/codec.ts';
import { MalformedMessage, walkSections } from '../message/sections.ts';
import { closeReason } from './close-reason.ts';
import type { Compressor } from './compression.ts';
import { ConnectionClient } from './connection-client.ts';
import { checkLocalSize, isHello, localHandler, queryHandler } from './connection-commands.ts';
import type { ConnectionContext } from './connection-context.ts';
import { type Failure, withInjected } from './fail-point-answers.ts';
import { Forwarding } from './forwarding.ts';
import { FrameReader } from './frame-reader.ts';
import { type Incoming, readIncoming, readingOf } from './incoming.ts';
import { type LocalCommand, runLocally } from './local-command.ts';
import type { Login } from './login.ts';
import { hasMore } from './look-inside.ts';
import { ReplyWriter } from './reply-writer.ts';
import { isStateChange, withTopologyVersion } from './state-change.ts';
import { type HelloAwait, validAwaitOf } from './topology-version.ts';
import type { Traffic } from './traffic.ts';
import { ConnectionTurn } from './turns.ts';

/**
 * Maximum size of a message before login. A `hello` command or a step of a login has less than 2 KB. A client that has
 * not logged in must not make the host buffer more than necessary.
 */
const BEFORE_LOGIN_BYTES = 65_536;
/** While a message is being handled, the connection buffers this number of further bytes before it stops reading. */
const READ_AHEAD_BYTES = 65_536;
/** Time limit for the first message. A client that sends nothing must not occupy a connection. */
const FIRST_MESSAGE_MS = 10_000;
/** Maximum delay of an error by `#replyFrom`. Replies to `hello` usually report the state of the member earlier. */
const TOPOLOGY_MS = 5_000;

type HelloMessage = Pick<OpMsg, 'requestId' | 'exhaustAllowed' | 'sections'>;

/** Sends an error in place of the command's reply. */
type SendError = (error: NonNullable<Failure['error']>) => void;

/** A connection of a driver to one member. */
export class Connection {
  readonly id: number;
  readonly memberId: string;
  readonly #socket: Socket;
  readonly #client: ConnectionClient;
  readonly #cluster: ConnectionContext;
  readonly #reader = new FrameReader(BEFORE_LOGIN_BYTES);
  readonly #writer: ReplyWriter;
  readonly #traffic: Traffic;
  #awaiting = false;
  readonly #turn: ConnectionTurn;
  /** Number of bytes of the message or reply that is being processed, if this takes longer than one call of `#pump`. */
  #processedBytes = 0;
  readonly #forwarding: Forwarding;
  /** The effect of the active fail points on the current reply. */
  #injected: Pick<Failure, 'writeConcernError' | 'closesAfter' | 'untimed'> | undefined;
  #cancelWait = () => {};
  #cancelFirstMessageLimit: () => void;

  constructor(socket: Socket, memberId: string, cluster: ConnectionContext) {
    const { services } = cluster;
    this.id = services.nextConnectionId();
    this.memberId = memberId;
    this.#socket = socket;
    this.#client = new ConnectionClient(socket, cluster, this.id, memberId);
    this.#traffic = cluster.trafficOf(memberId);
    this.#traffic.totalCreated++;
    this.#writer = new ReplyWriter(socket, this.#traffic, cluster.slowWrites);
    this.#cluster = cluster;
    this.#turn = new ConnectionTurn(cluster.turns, () => this.#pump());
    this.#forwarding = new Forwarding(this, cluster, this.#traffic);
    this.#cancelFirstMessageLimit = services.after(FIRST_MESSAGE_MS, () => this.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.#traffic.bytesIn += chunk.length;
      this.#reader.push(chunk);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
    socket.on('close', () => {
      this.#cancelWait();
      this.#cancelFirstMessageLimit();
      this.#cluster.gone(this.id);
      this.#forwarding.close();
      this.#reader.clear();
      this.#updateHeldBytes();
    });
    // Ignore errors such as a reset by the peer, because the event `close` follows.
    socket.on('error', () => {});
  }

  /** The address of the client, for example `192.0.2.1`. */
  get address(): string {
    return this.#client.address;
  }

  get login(): Login {
    return this.#client.login;
  }

  get caller(): WireCaller {
    return this.#client.caller;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Handles messages in order, unless a message is not completed, or the client does not read its replies. */
  #pump(): void {
    this.#guard(() => {
      while (this.#ready() && !this.#turn.mustWait()) {
        this.#reader.limit = this.login.user === undefined ? BEFORE_LOGIN_BYTES : MAX_MESSAGE_BYTES;
        const bytes = this.#reader.next();
        if (bytes === undefined) break;
        this.#read(bytes);
      }
    });
    this.#updateHeldBytes();
    if (!this.#ready() && this.#reader.buffered > READ_AHEAD_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #ready(): boolean {
    const { destroyed, writableNeedDrain } = this.#socket;
    if (this.#awaiting || this.#turn.isWaiting) return false;
    return !destroyed && !writableNeedDrain && !this.#forwarding.full;
  }

  /** Reports how much memory closing the connection would release. */
  #updateHeldBytes(): void {
    if (!this.#awaiting) this.#processedBytes = 0;
    const { destroyed, writableLength } = this.#socket;
    const bytes = this.#reader.buffered + writableLength + this.#processedBytes;
    this.#cluster.held.set(this, destroyed ? 0 : bytes);
  }

  /** Calls `run`, and closes the connection if it throws an error. Other connections are not affected. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.closeWith(error);
    }
  }

  /** Closes the connection, and reports the reason. */
  closeWith(error: unknown): void {
    this.destroy();
    const { clusterId } = this.#cluster.view;
    this.#cluster.services.onRejected({ clusterId, remote: this.#client.remote, reason: closeReason(error) });
  }

  #read(bytes: Buffer): void {
    this.#traffic.requests++;
    this.#cluster.services.handled?.();
    this.#cancelFirstMessageLimit();
    this.#cancelFirstMessageLimit = () => {};
    const { limit } = this.#reader;
    const reading = readingOf(bytes, limit);
    const handle = (incoming: Incoming | undefined) => incoming && this.#handle(incoming);
    const read = () => {
      this.#processedBytes = reading.bytes;
      if (reading.isSlow) this.#updateHeldBytes();
      return this.#socket.destroyed ? undefined : readIncoming(bytes, limit);
    };
    this.#processedBytes = bytes.length;
    const incoming = reading.isSlow ? this.#cluster.slowReads.run(read) : read();
    if (incoming instanceof Promise) this.#pauseUntil(incoming, handle);
    else handle(incoming);
  }

  /** Handles no further messages until `promise` is fulfilled and `then` has been called. */
  #pauseUntil<T>(promise: Promise<T>, then: (result: T) => void = () => {}): void {
    this.#awaiting = true;
    promise
      .then((result) => {
        this.#awaiting = false;
        if (this.#socket.destroyed) return;
        then(result);
        this.#pump();
      })
      .catch((error) => this.closeWith(error));
  }

  /**
   * Calls `start`, which begins a wait and returns a function that cancels it. During the wait, the connection handles
   * no further messages. After the wait, calls `run`.
   */
  #resumeAfter(start: (resume: () => void) => () => void, run: () => void): void {
    this.#awaiting = true;
    this.#cancelWait = start(() => {
      this.#awaiting = false;
      this.#guard(run);
      this.#pump();
    });
  }

  #handle({ message, compressor }: Incoming): void {
    if (message.kind === 'query') this.#answerQuery(message);
    else this.#answerMsg(message, compressor);
  }

  #answerMsg(message: OpMsg, compressor: Compressor | undefined): void {
    const bytes = walkSections(message.sections);
    const name = commandName(bytes) ?? '';
    checkLocalSize(name, bytes, this.#cluster.view);
    if (isHello(name)) this.#client.readMetadata(bytes);
    const failure = this.#failureOf(name, message.sections);
    if (failure === undefined) this.#answerCommand(message, bytes, name, compressor);
    else {
      this.#injectFailure(failure, this.#errorSender(message), () =>
        this.#answerCommand(message, bytes, name, compressor),
      );
    }
  }

  #errorSender(
    message: Pick<OpMsg, 'requestId' | 'sections'> & { readonly moreToCome?: boolean },
  ): SendError {
    return (error) => {
      if (message.moreToCome !== true) this.#reply(message, serialize(error(message.sections)));
    };
  }

  #failureOf(command: string, sections?: Uint8Array): Failure | undefined {
    const { view, failPoints } = this.#cluster;
    if (!failPoints.any) return undefined;
    const members = view.members.filter(({ kind }) => kind !== 'router').map(({ id }) => id);
    return failPoints.match(this.memberId, { command, appName: this.#client.appName, sections, members });
  }

  /** Applies a failure. Calls `runCommand` unless the failure includes an error that replaces the reply. */
  #injectFailure({ blockMs, ...failure }: Failure, sendError: SendError, runCommand: () => void): void {
    const { closeConnection, error } = failure;
    if (blockMs > 0) {
      this.#resumeAfter(
        (resume) => this.#cluster.services.after(blockMs, resume),
        () => this.#injectFailure({ ...failure, blockMs: 0 }, sendError, runCommand),
      );
    } else if (closeConnection) this.destroy();
    else if (error !== undefined) sendError(error);
    else {
      this.#injected = failure;
      runCommand();
    }
  }

  #answerCommand(message: OpMsg, bytes: Uint8Array, name: string, compressor: Compressor | undefined): void {
    const command = localHandler(name, this.#cluster.view);
    if (command === undefined) {
      this.#forward(message, name, compressor);
      return;
    }
    this.#injected = undefined;
    const request = { command, name, bytes };
    const wait =
      message.moreToCome || !isHello(name) ? undefined : validAwaitOf(bytes, this.#cluster.topology.current);
    if (wait !== undefined) this.#greetAfterChange(request, message, wait);
    else {
      const answer = this.#run(request);
      if (!message.moreToCome) this.#reply(message, answer, compressor);
    }
  }

  /** Replies to `hello` when the topology differs from `known`, or after `ms` milliseconds. */
  #greetAfterChange(request: LocalCommand, message: HelloMessage, { known, ms }: HelloAwait): void {
    const { topology } = this.#cluster;
    if (!topology.is(known)) {
      this.#greet(request, message, ms);
      return;
    }
    this.#resumeAfter(
      (resume) => topology.wait(ms, resume),
      () => this.#greet(request, message, ms),
    );
  }

  /** Replies to `hello`. If the driver allows several replies, sends further replies after later changes. */
  #greet(request: LocalCommand, message: HelloMessage, ms: number): void {
    const { turns } = this.#cluster;
    if (turns.isSpent) {
      this.#resumeAfter(
        (resume) => turns.wait(resume),
        () => this.#greet(request, message, ms),
      );
      return;
    }
    const document = this.#run(request);
    if (!message.exhaustAllowed) {
      this.#reply(message, document);
      return;
    }
    // The driver does not read the replies. Stop sending them, because they would accumulate in memory.
    if (this.#socket.writableNeedDrain)
      throw new MalformedMessage('the client does not read streamed greetings');
    const next = { ...message, requestId: this.#writer.streamed(message.requestId, document) };
    const awaitNext = () =>
      this.#greetAfterChange(request, next, { known: this.#cluster.topology.current, ms });
    // For fail points, each further reply counts as a separate command.
    const failure = this.#failureOf(request.name, message.sections);
    if (failure === undefined) awaitNext();
    else this.#injectFailure(failure, this.#errorSender(next), awaitNext);
  }

  /** Replies to OP_QUERY. Drivers send `hello` in this form until they know that the server supports OP_MSG. */
  #answerQuery(message: OpQuery): void {
    const name = commandName(message.query) ?? '';
    checkLocalSize(name, message.query, this.#cluster.view);
    if (isHello(name)) this.#client.readMetadata(message.query);
    const command = queryHandler(name, this.#cluster.view);
    const reply = () => this.#writer.query(message, this.#run({ command, name, bytes: message.query }));
    const failure = isHello(name) ? this.#failureOf(name) : undefined;
    if (failure === undefined) reply();
    else this.#injectFailure(failure, (error) => this.#writer.query(message, serialize(error())), reply);
  }

  /** Runs a command in this thread. */
  #run(command: LocalCommand): Uint8Array {
    this.#cluster.turns.spend();
    const { id: connectionId, memberId } = this;
    const serverName = (this.#socket instanceof TLSSocket && this.#socket.servername) || undefined;
    return runLocally(command, { connectionId, memberId, client: this.#client, serverName }, this.#cluster);
  }

  /** Sends the message to the query thread, when the cluster has room for it. */
  #forward(message: OpMsg, name: string, compressor: Compressor | undefined): void {
    const { moreToCome } = message;
    this.#awaiting = true;
    this.#processedBytes = message.sections.length;
    this.#forwarding.send(message, name, this.#injected?.untimed === true, {
      admitted: () => {
        this.#awaiting = !moreToCome;
        this.#processedBytes = 0;
      },
      resumed: () => this.#pump(),
      replied: (document) => {
        if (!moreToCome) this.#handleReply(message, name, document, compressor);
        this.#pump();
      },
    });
  }

  /** Handles the reply of the query thread. */
  #handleReply(message: OpMsg, name: string, document: Uint8Array, compressor: Compressor | undefined): void {
    this.#awaiting = false;
    if (message.exhaustAllowed && name === 'getMore' && hasMore(document)) {
      this.#continueExhaust(message, name, document);
      return;
    }
    const answer = withInjected(document, this.#injected);
    this.#injected = undefined;
    if (answer === undefined) this.destroy();
    else this.#replyFrom(message, answer, compressor);
  }

  /** Requests the next batch of an exhaust cursor when the socket accepts more output. */
  #continueExhaust(message: OpMsg, name: string, document: Uint8Array): void {
    const requestId = this.#writer.streamed(message.requestId, document);
    this.#awaiting = true;
    const next = () => {
      if (!this.#socket.destroyed) this.#forward({ ...message, requestId }, name, undefined);
    };
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', next);
    else next();
  }

  /**
   * Sends a reply of the query thread. Delays an error about the state of the member until replies to `hello` report
   * this state. Otherwise, drivers could regard the error as out of date, because they compare topology versions.
   */
  #replyFrom(message: OpMsg, document: Uint8Array, compressor: Compressor | undefined): void {
    if (!isStateChange(document)) {
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
    this.#resumeAfter((resume) => topology.wait(TOPOLOGY_MS, resume), reply);
  }

  /** Sends the reply. It is compressed with the compressor of the request. */
  #reply(message: Pick<OpMsg, 'requestId'>, document: Uint8Array, compressor?: Compressor): void {
    const written = this.#writer.msg(message, document, compressor);
    if (written === undefined) return;
    this.#processedBytes = document.length;
    this.#pauseUntil(written);
  }
}
