import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { CompanionAnswer, CompanionCalls, CompanionRequest } from '../library/protocol.ts';
import { CallFailure } from './failure.ts';

/** Answers calls on a port of the loopback to whoever knows the token. Resolves with the port. */
export async function listenForCalls(calls: CompanionCalls, token: string): Promise<number> {
  const server = createServer((socket) => serve(socket, calls, token));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function serve(socket: Socket, calls: CompanionCalls, token: string): void {
  socket.setNoDelay(true);
  // Whoever is gone wants no answer.
  socket.on('error', () => {});
  let known = false;
  createInterface({ input: socket }).on('line', (line) => {
    if (known) void answer(calls, JSON.parse(line)).then((text) => socket.write(text));
    else if (line === token) known = true;
    else socket.destroy();
  });
}

async function answer(calls: CompanionCalls, { id, call, argument }: CompanionRequest): Promise<string> {
  return `${JSON.stringify(await outcome(calls, id, call, argument))}\n`;
}

async function outcome(
  calls: CompanionCalls,
  id: number,
  call: string,
  argument: unknown,
): Promise<CompanionAnswer> {
  try {
    const run = Object.hasOwn(calls, call) ? calls[call as keyof CompanionCalls] : undefined;
    if (run === undefined) throw new Error(`the companion has no call ${call}`);
    return { id, result: (await run(argument as never)) ?? null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, error: { message, ...(error instanceof CallFailure ? { reason: error.reason } : {}) } };
  }
}
