import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { endSoon } from './broken-request.ts';
import type { Limits } from './limits.ts';
import { isCoded } from './read-body.ts';

interface Bounds {
  readonly limits: Pick<Limits, 'bodyBytes'>;
  readonly machine: Pick<MachineClock, 'after'>;
}

/**
 * The class of responses that bounds what is left of a request body. Node reads such a body to its end, which would
 * let a rejected request cost as much as one that is accepted, without the limit on bodies.
 */
export function boundedResponses({ limits, machine }: Bounds): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: unknown[]): this {
      const { req, socket } = this;
      if (socket !== null && isUnfinished(req)) {
        if (canBeDiscarded(req, limits)) discard(req, limits.bodyBytes);
        else {
          this.shouldKeepAlive = false;
          closeUnread(socket, machine);
        }
      }
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    }
  };
}

function isUnfinished({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || lengthOf(headers) > 0);
}

/** Clients that have to send a request again, as with Digest, keep their connection if its body is one of usual size. */
function canBeDiscarded({ headers }: IncomingMessage, { bodyBytes }: Bounds['limits']): boolean {
  return !isCoded(headers) && lengthOf(headers) <= bodyBytes;
}

function lengthOf(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0);
}

/** Reads the rest of a body, and closes the connection if it is larger than `limit`: a chunked one names no length. */
function discard(request: IncomingMessage, limit: number): void {
  let discarded = 0;
  request.on('data', ({ length }: Buffer) => {
    discarded += length;
    if (discarded > limit) request.socket.destroy();
  });
}

/** Has Node end the connection after the response without reading what the client still sends. */
function closeUnread(socket: Socket, machine: Bounds['machine']): void {
  // Node's own would close the connection at once, and the reset caused by unread bytes can overtake the response.
  socket.destroySoon = () => {
    endSoon(machine, socket);
    socket.end();
    // After this turn of the event loop, since Node.js resumes the request within it.
    setImmediate(() => socket.pause());
  };
}
