import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import { errorText } from '../answer/error.ts';
import { protocolFault } from '../faults.ts';

export const HEAD_TOO_LARGE = 'The request line and the headers are too large.';

const statuses: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, HEAD_TOO_LARGE],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
  CONNECT: [400, 'No tunnel is opened here.'],
};

/** Ending closes our half alone; a peer that keeps its own open would hold its place for ever. */
const FAREWELL_MS = 1_000;

interface Answering {
  /** What Node keeps on a socket while an answer is under way; its own handling of broken requests asks the same. */
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
  /** On a TLS socket: there is no line yet that an answer could take, and waiting for one would keep it open. */
  readonly secureConnecting?: boolean;
}

/** Answers what could not be read as an HTTP request, and closes the connection, whether its peer does so or not. */
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

/** Left to itself Node closes a connection that asks for a tunnel without a word. */
export function refuseTunnels(server: Server, machine: Pick<MachineClock, 'after'>): void {
  server.on('connect', (_, socket) => {
    // Node has let go of the connection, and would end the process over its error.
    socket.on('error', () => socket.destroy());
    answerBrokenRequest(machine, { code: 'CONNECT' }, socket as Socket);
  });
}

/** Closes a connection that was ended, whether its peer does so or not. */
export function endSoon(machine: Pick<MachineClock, 'after'>, socket: Socket): void {
  socket.once(
    'close',
    machine.after(FAREWELL_MS, () => socket.destroy()),
  );
}
