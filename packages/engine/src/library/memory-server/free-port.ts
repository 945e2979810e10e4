import { createServer } from 'node:net';
import { StdoutInstanceError } from './errors.ts';

const ATTEMPTS = 5;

/**
 * Calls `start` again with other ports if it fails. Another program may have taken a port after it was found to be
 * free.
 */
export async function atFreePorts(start: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof StdoutInstanceError)) throw error;
    }
  }
}

/** Returns `wanted` if that port is free, otherwise any free port. */
export async function freePort(wanted?: number): Promise<number> {
  const found = wanted === undefined ? undefined : await listen(wanted);
  const port = found ?? (await listen(0));
  if (port === undefined) throw new Error('no port is free');
  return port;
}

function listen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
