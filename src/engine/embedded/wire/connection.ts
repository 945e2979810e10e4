import type { Socket } from 'node:net';
import { BSONError, type Document, Double, deserialize, serialize } from 'bson';
import type { WireCaller } from '../command.ts';
import { ServerError } from '../server-error.ts';
import type { EdgeCluster } from './cluster.ts';
import { commandName, MAX_MESSAGE_BYTES, type OpMsg, type OpQuery, parseMessage } from './codec.ts';
import { type Expanded, expand, isCompressed } from './compressed.ts';
import type { Compressor } from './compression.ts';
import { type EdgeCommand, edgeCommand, isHello } from './edge-commands.ts';
import { FrameReader } from './frame-reader.ts';
import { Login } from './login.ts';
import { ReplyWriter } from './reply-writer.ts';
import { MalformedMessage, walkSections } from './sections.ts';
import { type Patience, patienceOf } from './topology-version.ts';

/** The server answers `ok` as a double. */
const SUCCESS = new Double(1);
const FAILURE = new Double(0);

/** A greeting or a step of a log-in is under 2 KB; nobody unknown may make the host hold more than this. */
const BEFORE_LOGIN_BYTES = 65_536;
/** Bytes that may wait behind a request that is not answered yet before reading stops. */
const READ_AHEAD_BYTES = 65_536;
/** Bytes of requests without answer that may be under way. */
const UNANSWERED_BYTES = MAX_MESSAGE_BYTES;

/** A command that this thread answers itself. */
interface EdgeRequest {
  readonly command: EdgeCommand;
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Greeted = Pick<OpMsg, 'requestId' | 'exhaustAllowed'>;

/** One connection of a driver to one member. */
export class Connection {
  readonly id: number;
  readonly memberId: string;
  /** `192.0.2.1` */
  readonly address: string;
  readonly login: Login;
  readonly #socket: Socket;
  readonly #cluster: EdgeCluster;
  readonly #reader = new FrameReader(BEFORE_LOGIN_BYTES);
  readonly #writer: ReplyWriter;
  readonly #remote: string;
  #caller: WireCaller | undefined;
  #awaiting = false;
  #unanswered = 0;
  #cancelWait = () => {};

  constructor(socket: Socket, memberId: string, cluster: EdgeCluster) {
    const { surroundings } = cluster;
    const clusterId = cluster.view.clusterId;
    this.id = surroundings.nextConnectionId();
    this.memberId = memberId;
    this.address = socket.remoteAddress ?? '';
    this.#remote = `${this.address}:${socket.remotePort}`;
    this.login = new Login(cluster, surroundings.random, (attempt) =>
      surroundings.onLogin({ ...attempt, clusterId, remote: this.#remote }),
    );
    this.#socket = socket;
    this.#writer = new ReplyWriter(socket);
    this.#cluster = cluster;
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
    socket.on('close', () => this.#cancelWait());
    // A reset by the peer; `close` follows.
    socket.on('error', () => {});
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
    this.#cluster.surroundings.onRefused({ clusterId, remote: this.#remote, reason });
  }

  #take(bytes: Buffer): void {
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
    const command = edgeCommand(name, this.#cluster.view);
    if (command === undefined) {
      this.#forward(message, compressor);
      return;
    }
    const request = { command, name, bytes };
    const patience = message.moreToCome || !isHello(name) ? undefined : this.#patience(bytes);
    if (patience !== undefined) this.#await(request, message, patience);
    else {
      const answer = this.#run(request);
      if (!message.moreToCome) this.#reply(message, answer, compressor);
    }
  }

  /** How long the greeting may wait; one that asks for it wrongly is refused when it is run. */
  #patience(bytes: Uint8Array): Patience | undefined {
    try {
      return patienceOf(deserialize(bytes), this.#cluster.topology.current);
    } catch (error) {
      if (error instanceof ServerError) return undefined;
      throw error;
    }
  }

  /** Greets when the topology is another than the driver knows, or when it has waited for long enough. */
  #await(request: EdgeRequest, message: Greeted, { known, ms }: Patience): void {
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
  #greet(request: EdgeRequest, message: Greeted, ms: number): void {
    const document = this.#run(request);
    if (!message.exhaustAllowed) {
      this.#reply(message, document);
      return;
    }
    // A driver that does not read what it has asked for; it would pile up here.
    if (this.#socket.writableNeedDrain) throw new MalformedMessage('greetings that nobody reads');
    const requestId = this.#writer.streamed(message.requestId, document);
    this.#await(request, { ...message, requestId }, { known: this.#cluster.topology.current, ms });
  }

  /** Drivers greet with OP_QUERY until they know that OP_MSG is understood. */
  #answerQuery(message: OpQuery): void {
    const name = commandName(message.query) ?? '';
    const command: EdgeCommand = isHello(name)
      ? (edgeCommand(name, this.#cluster.view) as EdgeCommand)
      : () => {
          throw new ServerError('UnsupportedOpQueryCommand', `Unsupported OP_QUERY command: ${name}`);
        };
    this.#writer.query(message, this.#run({ command, name, bytes: message.query }));
  }

  #run({ command, name, bytes }: EdgeRequest): Uint8Array {
    const { view, surroundings, topology } = this.#cluster;
    const { memberId, login } = this;
    const facts = { connectionId: this.id, now: surroundings.now(), topology };
    try {
      const answer: Document = command({ name, body: deserialize(bytes), view, memberId, login, ...facts });
      return serialize({ ...answer, ok: SUCCESS });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { message: errmsg, code, codeName, more } = error;
      return serialize({ ok: FAILURE, errmsg, code, codeName, ...more });
    }
  }

  #forward(message: OpMsg, compressor: Compressor | undefined): void {
    const { sections } = message;
    const size = sections.byteLength;
    if (message.moreToCome) this.#unanswered += size;
    else this.#awaiting = true;
    const request = { clusterId: this.#cluster.view.clusterId, caller: this.#whoCalls(), sections };
    this.#cluster.send(request, {
      reply: (document) => {
        if (message.moreToCome) this.#unanswered -= size;
        else {
          this.#awaiting = false;
          this.#reply(message, document, compressor);
        }
        this.#pump();
      },
      lost: () => this.destroy(),
    });
  }

  #whoCalls(): WireCaller {
    const { user } = this.login;
    if (this.#caller === undefined || this.#caller.user !== user) {
      const caller = { connectionId: this.id, remote: this.#remote, member: this.memberId };
      this.#caller = user === undefined ? caller : { ...caller, user };
    }
    return this.#caller;
  }

  /** The answer comes in the form of the request. */
  #reply(message: Pick<OpMsg, 'requestId'>, document: Uint8Array, compressor?: Compressor): void {
    const written = this.#writer.msg(message, document, compressor);
    if (written !== undefined) this.#wait(written);
  }
}
