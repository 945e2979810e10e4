import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { MongoClientOptions } from 'mongodb';

/** The longest message that servers send according to the wire protocol. */
const MAX_MESSAGE_BYTES = 48_000_000;
/** The longest reply to `hello`, which the driver sends again and again. Usual replies have less than 10 kB. */
const MAX_HELLO_BYTES = 2_000_000;
/** The id of the connections with which the driver monitors servers. */
const MONITOR = '<monitor>';

/**
 * Returns options of clients of servers that the service does not run. They limit the size of replies. Compressed replies
 * could exceed the limit, so they are not permitted.
 */
export const boundedReplies = (
  maxBytes = MAX_MESSAGE_BYTES,
): MongoClientOptions & { readonly connectionType: unknown } => ({
  compressors: ['none'],
  connectionType: boundedConnections(maxBytes),
});

type ConnectionType = new (socket: Socket, options: { readonly id?: unknown }) => object;

const require = createRequire(import.meta.url);

/**
 * Returns the type of connections that the driver creates. Each of them closes when a server announces a message of more
 * than `maxBytes`. The driver itself would store a message of any length before it reads the message.
 */
function boundedConnections(maxBytes: number): ConnectionType {
  const { Connection } = require('mongodb/lib/cmap/connection.js') as { readonly Connection: ConnectionType };
  return class extends Connection {
    constructor(socket: Socket, options: { readonly id?: unknown }) {
      boundMessages(socket, options.id === MONITOR ? MAX_HELLO_BYTES : maxBytes);
      super(socket, options);
    }
  };
}

const SIZE_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Reads the size at the beginning of each message, and destroys the socket if a size exceeds `maxBytes`. */
export function boundMessages(socket: Socket, maxBytes: number): void {
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
      if (size > maxBytes) {
        socket.destroy(new Error(`a reply has ${size} bytes, and the service reads at most ${maxBytes}`));
        return;
      }
      left = Math.max(0, size - SIZE_BYTES);
    }
  });
}
