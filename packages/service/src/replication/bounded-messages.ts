import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { MongoClientOptions } from 'mongodb';

/** The longest message that servers send according to the wire protocol. */
const MAX_MESSAGE_BYTES = 48_000_000;
/**
 * The longest message on connections that only monitor a server. The driver opens one to each server, and reads a reply to
 * `hello` every few seconds. Replies of replica sets with 50 members have about 10 kB.
 */
const MAX_MONITOR_BYTES = 64 * 1024;

/** Counts the bytes that servers send. */
export interface ByteCount {
  /** Returns why the service does not read a message with this many bytes; undefined if it reads the message. */
  refusalOf(bytes: number): string | undefined;
}

interface Bounds {
  /** The longest message on connections that send commands. */
  readonly longest?: number;
  /** Returns why a reply must not be decoded, or undefined. The driver decodes a reply without a pause. */
  readonly undecodable?: ((reply: Uint8Array) => string | undefined) | undefined;
  readonly counts?: ByteCount | undefined;
}

/**
 * Returns options of clients of servers that the service does not run. They limit the size of replies, and count replies in
 * `counts`. Compressed replies could exceed the limit, so they are not permitted.
 */
export const boundedReplies = ({
  longest = MAX_MESSAGE_BYTES,
  undecodable,
  counts,
}: Bounds = {}): MongoClientOptions & { readonly connectionType: unknown } => ({
  compressors: ['none'],
  connectionType: boundedConnections({ longest, undecodable, counts }),
});

interface ConnectionOptions {
  readonly id?: unknown;
}

/** The part of the driver's connections that is changed. */
interface DriverConnection {
  /** Returns the replies to a command. */
  readMany(options: object): AsyncGenerator<{ parse(): Uint8Array }, void, unknown>;
}

type ConnectionType = new (socket: Socket, options: ConnectionOptions) => DriverConnection;

const require = createRequire(import.meta.url);

/** The id that the driver gives to connections that only monitor a server. */
const MONITOR = '<monitor>';

/**
 * Returns the type of connections that the driver creates. Each of them closes when a server announces a message that is
 * too long. The driver itself would store a message of any length before it reads the message.
 */
function boundedConnections({
  longest,
  undecodable,
  counts,
}: Bounds & { readonly longest: number }): ConnectionType {
  const { Connection } = require('mongodb/lib/cmap/connection.js') as { readonly Connection: ConnectionType };
  return class extends Connection {
    constructor(socket: Socket, options: ConnectionOptions) {
      const most = options.id === MONITOR ? MAX_MONITOR_BYTES : longest;
      boundMessages(socket, (bytes) => tooLong(bytes, most) ?? counts?.refusalOf(bytes));
      super(socket, options);
    }

    override async *readMany(options: object): ReturnType<DriverConnection['readMany']> {
      for await (const reply of super.readMany(options)) {
        const reason = undecodable?.(reply.parse());
        if (reason !== undefined) throw new Error(reason);
        yield reply;
      }
    }
  };
}

export const tooLong = (bytes: number, longest: number): string | undefined =>
  bytes > longest ? `a reply has ${bytes} bytes, and the service reads at most ${longest}` : undefined;

const SIZE_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Reads the size at the beginning of each message. Destroys the socket if `refusalOf` returns a reason for this size. */
export function boundMessages(socket: Socket, refusalOf: ByteCount['refusalOf']): void {
  let head: Buffer = NOTHING;
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = rest.subarray(0, left > 0 ? left : SIZE_BYTES - head.length);
      rest = rest.subarray(taken.length);
      if (left > 0) {
        left -= taken.length;
        continue;
      }
      head = Buffer.concat([head, taken]);
      if (head.length < SIZE_BYTES) return;
      const size = head.readInt32LE();
      head = NOTHING;
      const refusal = refusalOf(size);
      if (refusal !== undefined) {
        socket.destroy(new Error(refusal));
        return;
      }
      left = Math.max(0, size - SIZE_BYTES);
    }
  });
}
