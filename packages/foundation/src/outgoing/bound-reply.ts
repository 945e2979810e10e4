import type { ClientRequest } from 'node:http';

/**
 * The maximum number of bytes before the head of a response is complete. Node accepts heads of 16 KiB, and any number
 * of informational responses and empty lines before the response.
 */
const MAX_HEAD_BYTES = 65_536;

/**
 * Limits the bytes that a server sends in response to a request, and destroys the request when there are more. A body
 * can arrive in chunks of one byte each, so it takes up to six times its size. Without a limit, a fast server could keep
 * the process busy until the timeout of the request.
 */
export function boundReply(request: ClientRequest, maxBytes: number): void {
  let most = MAX_HEAD_BYTES;
  let received = 0;
  request.once('response', () => {
    most = MAX_HEAD_BYTES + maxBytes;
  });
  request.once('socket', (socket) =>
    socket.on('data', ({ length }: Buffer) => {
      received += length;
      if (received > most) request.destroy(new Error(`the server has sent more than ${most} bytes`));
    }),
  );
}
