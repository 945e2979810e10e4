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
 * A response class that limits how much of an unread request body is read. Node reads such a body to its end without a
 * limit, so that a rejected request could cost as much as an accepted one.
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

/**
 * Whether to discard the rest of the body instead of closing the connection. A Digest client sends its
 * request again after a challenge, and needs an open connection for this. A body that exceeds the size limit
 * is not discarded.
 */
function canBeDiscarded({ headers }: IncomingMessage, { bodyBytes }: Bounds['limits']): boolean {
  return !isCoded(headers) && lengthOf(headers) <= bodyBytes;
}

function lengthOf(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads the rest of a body, and closes the connection if the rest is larger than `limit`: a chunked body does not
 * announce its length.
 */
function discard(request: IncomingMessage, limit: number): void {
  let discarded = 0;
  request.on('data', ({ length }: Buffer) => {
    discarded += length;
    if (discarded > limit) request.socket.destroy();
  });
}

/** Makes Node end the connection after the response, without reading the rest of the request. */
function closeUnread(socket: Socket, machine: Bounds['machine']): void {
  // Node's own `destroySoon` would close the connection at once. Unread bytes then cause a TCP reset, which can
  // overtake the response.
  socket.destroySoon = () => {
    endSoon(machine, socket);
    socket.end();
    // Pause only after this turn of the event loop, since Node resumes the request in this turn.
    setImmediate(() => socket.pause());
  };
}
