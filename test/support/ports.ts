import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { until } from './expect.ts';

/** A range of ports for an engine host, for the setting `--engine-ports`. */
export interface PortBlock {
  readonly first: number;
  readonly last: number;
  release(): Promise<void>;
}

const FIRST = 20_000;
const SIZE = 299;
const BLOCKS = 33;

/**
 * The block at which the next search begins. Each search of each process begins at another block. A block that was just
 * released is therefore rarely used at once. Clients of its former user may still try to connect.
 */
let next = process.pid;

/** The range of ports outside of blocks. It is below the ephemeral ports, which begin at 32,768 on Linux. */
const FIRST_SINGLE = 30_000;
const LAST_SINGLE = 32_767;

/**
 * Reserves a block of ports that no other test uses, by listening on its first port. Without the reservation, another
 * engine host on this machine could use the ports of a paused cluster, which does not listen on them.
 */
export async function portBlock(): Promise<PortBlock> {
  // Wait if every block is held, since other tests on this machine release theirs.
  const block = await until('a free block of ports', freeBlock, (found) => found !== undefined);
  return block as PortBlock;
}

async function freeBlock(): Promise<PortBlock | undefined> {
  for (let tried = 0; tried < BLOCKS; tried++) {
    const from = FIRST + (next++ % BLOCKS) * SIZE;
    const guard = await listen(from);
    if (guard === undefined) continue;
    const [first, last] = [from + 1, from + SIZE - 1];
    return {
      first,
      last,
      async release() {
        guard.close();
        await once(guard, 'close');
      },
    };
  }
  return undefined;
}

/** Reserves a block of ports for the engine of a test file, until the file's process ends. */
export async function enginePorts(): Promise<{ from: number; to: number; first: number }> {
  const { first, last } = await portBlock();
  return { from: first, to: last, first };
}

/** Returns a free port. Until this process ends, it reserves the port by listening on the preceding one. */
export async function freePort(): Promise<number> {
  return (await until('a free port', freeSingle, (port) => port !== undefined)) as number;
}

async function freeSingle(): Promise<number | undefined> {
  for (let guard = FIRST_SINGLE; guard < LAST_SINGLE; guard += 2) {
    if ((await listen(guard)) === undefined) continue;
    const free = await listen(guard + 1);
    if (free === undefined) continue;
    free.close();
    await once(free, 'close');
    return guard + 1;
  }
  return undefined;
}

/** Listens on a port; undefined if the port is in use. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.unref();
  const failed = once(server, 'error').then(() => undefined);
  const listening = once(server, 'listening').then(() => server);
  server.listen(port, '127.0.0.1');
  return Promise.race([listening, failed]);
}

/**
 * Occupies a port as another program could. Returns undefined if the port is in use. Ends each connection at once, so
 * that clients of other tests do not delay the end of the server.
 */
export async function portThief(port: number): Promise<{ close(): Promise<void> } | undefined> {
  const server = await listen(port);
  if (server === undefined) return undefined;
  server.on('connection', (socket) => socket.destroy());
  const closed = once(server, 'close');
  return {
    async close() {
      server.close();
      await closed;
    },
  };
}
