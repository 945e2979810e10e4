import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { errorText } from '../answer/error.ts';
import { protocolFault } from '../faults.ts';
import { answerBrokenRequest, endSoon } from './broken-request.ts';
import { isWholeHello } from './client-hello.ts';
import { HandshakeTurns } from './handshake-turns.ts';
import { InputTurns } from './input-turns.ts';
import type { Limits } from './limits.ts';
import type { OriginFinder } from './origin.ts';
import { readTarget } from './request-line.ts';

interface Plain {
  readonly limits: Pick<Limits, 'headerBytes' | 'headersMs'>;
  readonly machine: Pick<MachineClock, 'after' | 'monotonic'>;
  readonly originOf: OriginFinder;
}

/**
 * Redirects plain HTTP requests on an HTTPS port (docs/contract/access.md 1.1). The first byte distinguishes the
 * protocols: a request line begins with a letter, a TLS handshake with the byte 22 (RFC 8446 section 5.1).
 *
 * Handshakes take 0.4 ms each, so they run in turns. A handshake begins when the whole first message of the
 * client has arrived, because the server's signature, which takes most of the time, follows this message.
 */
export function redirectPlainRequests(server: Server, { limits, machine, originOf }: Plain): void {
  const [handshake] = server.listeners('connection');
  if (handshake === undefined) throw new TypeError('A server without TLS has nothing to redirect to');
  const plain = createServer({ maxHeaderSize: limits.headerBytes }, (request, response) =>
    redirect(request, response, machine, originOf),
  );
  plain.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerBrokenRequest(machine, error, socket as Socket),
  );
  new InputTurns(machine).watch(plain);
  const handshakes = new HandshakeTurns();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const lateness = machine.after(limits.headersMs, () => socket.destroy());
    const end = () => socket.destroy();
    socket.once('close', lateness).once('error', end);
    let begun = Buffer.alloc(0);
    const receive = () => {
      const more = socket.read() as Buffer | null;
      if (more === null) return end();
      begun = Buffer.concat([begun, more]);
      const isPlain = isLetter(begun[0]);
      if (!isPlain && !isWholeHello(begun)) {
        socket.once('readable', receive);
        return;
      }
      // Put the bytes back for the HTTP or TLS parser.
      socket.unshift(begun);
      if (isPlain) {
        plain.emit('connection', socket);
        return;
      }
      handshakes.add(socket.remoteAddress ?? '', () => {
        lateness();
        socket.off('close', lateness).off('error', end);
        if (!socket.destroyed) handshake.call(server, socket);
      });
    };
    socket.once('readable', receive);
  });
}

function isLetter(byte = 0): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  machine: Plain['machine'],
  originOf: OriginFinder,
): void {
  readTarget(request);
  const { url = '/', headers, socket } = request;
  const path = url.startsWith('/') ? url.replace(/[^!-~]/g, encodeURIComponent) : '/';
  const place = originOf(headers, false).replace(/^http:/, 'https:') + path;
  const fault = protocolFault(301, `This port requires TLS; the address is ${place}.`);
  const body = errorText(fault, { envelope: false, pretty: false });
  response.writeHead(fault.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Location: place,
    Connection: 'close',
  });
  endSoon(machine, socket);
  response.end(body);
}
