import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { errorText } from '../answer/error.ts';
import { protocolFault } from '../faults.ts';

export const HEAD_TOO_LARGE = 'The request line and the headers are too large.';

const statuses: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, HEAD_TOO_LARGE],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
  CONNECT: [400, 'CONNECT is not supported.'],
};

/**
 * After the server ends a socket, it waits this long for the peer to end its side, and then destroys the socket.
 * Otherwise, a peer could keep the connection open forever.
 */
const FAREWELL_MS = 1_000;

interface Answering {
  /**
   * The pending response. Node sets this field on a socket, and its own handler of broken requests checks the field,
   * too.
   */
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
  /** True on a TLS socket until the handshake ends. Until then, no response can be sent. */
  readonly secureConnecting?: boolean;
}

/** Responds to bytes that are not a valid HTTP request. Closes the connection even if the peer does not. */
export function answerBrokenRequest(
  machine: Pick<MachineClock, 'after'>,
  error: { code?: string | undefined },
  socket: Socket & Answering,
): void {
  const isAnswerable = socket.writable && !socket.secureConnecting && !socket._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !isAnswerable) {
    socket.destroy();
    return;
  }
  const [status, detail] = statuses[error.code ?? ''] ?? [400, 'This is not a well-formed HTTP request.'];
  const body = errorText(protocolFault(status, detail), { envelope: false, pretty: false });
  endSoon(machine, socket);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Error-Code: UNEXPECTED_ERROR',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Responds to CONNECT requests; Node would close the connection without a response. */
export function refuseTunnels(server: Server, machine: Pick<MachineClock, 'after'>): void {
  server.on('connect', (_, socket) => {
    // Node has removed its handlers from the socket, so an error would end the process.
    socket.on('error', () => socket.destroy());
    answerBrokenRequest(machine, { code: 'CONNECT' }, socket as Socket);
  });
}

/** Closes an ended connection even if the peer does not. */
export function endSoon(machine: Pick<MachineClock, 'after'>, socket: Socket): void {
  socket.once(
    'close',
    machine.after(FAREWELL_MS, () => socket.destroy()),
  );
}
