import type { Socket } from 'node:net';
import { BSONError, type Document, Double, deserialize, serialize } from 'bson';
import type { WireCaller } from '../command.ts';
import { ServerError } from '../server-error.ts';
import type { EdgeCluster } from './cluster.ts';
import {
  commandName,
  MAX_MESSAGE_BYTES,
  type OpMsg,
  type OpQuery,
  opMsgHead,
  opReplyHead,
  parseMessage,
} from './codec.ts';
import { type EdgeCommand, edgeCommand, isHello } from './edge-commands.ts';
import { FrameReader } from './frame-reader.ts';
import { Login } from './login.ts';
import { MalformedMessage, walkSections } from './sections.ts';

/** The server answers `ok` as a double. */
const SUCCESS = new Double(1);
const FAILURE = new Double(0);

/** A greeting or a step of a log-in is under 2 KB; nobody unknown may make the host hold more than this. */
const BEFORE_LOGIN_BYTES = 65_536;
/** Bytes that may wait behind a request that is not answered yet before reading stops. */
const READ_AHEAD_BYTES = 65_536;
/** Bytes of requests without answer that may be under way. */
const UNANSWERED_BYTES = MAX_MESSAGE_BYTES;
/** Answers below this size are copied behind their head, so that one packet carries both. */
const COPIED_REPLY_BYTES = 16_384;

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
  readonly #remote: string;
  #caller: WireCaller | undefined;
  #awaiting = false;
  #unanswered = 0;
  #lastMessageId = 0;

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
    this.#cluster = cluster;
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
    // A reset by the peer; `close` follows.
    socket.on('error', () => {});
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Takes messages one after another, as long as answers are given and read. */
  #pump(): void {
    try {
      while (this.#ready()) {
        this.#reader.limit = this.login.user === undefined ? BEFORE_LOGIN_BYTES : MAX_MESSAGE_BYTES;
        const bytes = this.#reader.next();
        if (bytes === undefined) break;
        this.#handle(parseMessage(bytes));
      }
    } catch (error) {
      this.#refuse(error);
    }
    if (!this.#ready() && this.#reader.buffered > READ_AHEAD_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #ready(): boolean {
    const { destroyed, writableNeedDrain } = this.#socket;
    return !this.#awaiting && !destroyed && !writableNeedDrain && this.#unanswered < UNANSWERED_BYTES;
  }

  /** Whatever is wrong with a message, or goes wrong with it here, costs its own connection alone. */
  #refuse(error: unknown): void {
    this.destroy();
    const expected = error instanceof MalformedMessage || error instanceof BSONError;
    const reason =
      error instanceof Error ? ((expected ? undefined : error.stack) ?? error.message) : `${error}`;
    const { clusterId } = this.#cluster.view;
    this.#cluster.surroundings.onRefused({ clusterId, remote: this.#remote, reason });
  }

  #handle(message: OpMsg | OpQuery): void {
    if (message.kind === 'query') this.#answerQuery(message);
    else this.#answerMsg(message);
  }

  #answerMsg(message: OpMsg): void {
    const body = walkSections(message.sections);
    const name = commandName(body) ?? '';
    const command = edgeCommand(name, this.#cluster.view);
    if (command === undefined) {
      this.#forward(message);
      return;
    }
    const answer = serialize(this.#run(command, name, body));
    if (!message.moreToCome) this.#reply(message, answer);
  }

  /** Drivers greet with OP_QUERY until they know that OP_MSG is understood. */
  #answerQuery(message: OpQuery): void {
    const name = commandName(message.query) ?? '';
    const command: EdgeCommand = isHello(name)
      ? (edgeCommand(name, this.#cluster.view) as EdgeCommand)
      : () => {
          throw new ServerError('UnsupportedOpQueryCommand', `Unsupported OP_QUERY command: ${name}`);
        };
    const answer = serialize(this.#run(command, name, message.query));
    this.#write(opReplyHead(this.#nextMessageId(), message.requestId, answer.length), answer);
  }

  #run(command: EdgeCommand, name: string, bytes: Uint8Array): Document {
    const { view, surroundings } = this.#cluster;
    const { memberId, login } = this;
    try {
      const body = deserialize(bytes);
      const call = { name, body, view, memberId, connectionId: this.id, login, now: surroundings.now() };
      return { ...command(call), ok: SUCCESS };
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      return {
        ok: FAILURE,
        errmsg: error.message,
        code: error.code,
        codeName: error.codeName,
        ...error.more,
      };
    }
  }

  #forward(message: OpMsg): void {
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
          this.#reply(message, document);
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

  #reply(message: OpMsg, document: Uint8Array): void {
    this.#write(opMsgHead(this.#nextMessageId(), message.requestId, document.length), document);
  }

  #write(head: Buffer, document: Uint8Array): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (document.length < COPIED_REPLY_BYTES) {
      socket.write(Buffer.concat([head, document]));
      return;
    }
    socket.cork();
    socket.write(head);
    socket.write(document);
    socket.uncork();
  }

  #nextMessageId(): number {
    this.#lastMessageId = (this.#lastMessageId + 1) | 0;
    return this.#lastMessageId;
  }
}
