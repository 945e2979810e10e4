import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { errorMessage } from '@portolan/foundation/thrown';
import type { CompanionAnswer, CompanionRequest } from '../library/protocol.ts';
import { CallFailure } from './failure.ts';

/** Returns the function for a call by its name. */
type FindCall = (name: string) => Promise<((argument: never) => Promise<unknown>) | undefined>;

/** Serves calls on a loopback port to clients that know the token. Resolves to the port. */
export async function listenForCalls(find: FindCall, token: string): Promise<number> {
  const server = createServer((socket) => serve(socket, find, token));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function serve(socket: Socket, find: FindCall, token: string): void {
  socket.setNoDelay(true);
  // The client has disconnected.
  socket.on('error', () => {});
  let known = false;
  createInterface({ input: socket }).on('line', (line) => {
    if (known) void answer(find, JSON.parse(line)).then((text) => socket.write(text));
    else if (line === token) known = true;
    else socket.destroy();
  });
}

async function answer(find: FindCall, { id, call, argument }: CompanionRequest): Promise<string> {
  return `${JSON.stringify(await outcome(find, id, call, argument))}\n`;
}

async function outcome(
  find: FindCall,
  id: number,
  call: string,
  argument: unknown,
): Promise<CompanionAnswer> {
  try {
    const run = await find(call);
    if (run === undefined) throw new Error(`the companion has no call ${call}`);
    return { id, result: (await run(argument as never)) ?? null };
  } catch (error) {
    const message = errorMessage(error);
    return { id, error: { message, ...(error instanceof CallFailure ? { reason: error.reason } : {}) } };
  }
}
