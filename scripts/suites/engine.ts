import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine as startOpen } from '@portolan/engine/library/index';
import type { EngineAddress } from './suite.ts';

/** Starts an engine that deletes its data when it is closed. */
export async function startEngine(root: string): Promise<EngineAddress & AsyncDisposable> {
  const args = [...process.execArgv, join(root, 'packages/portolan/src/main.ts'), 'engine', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const uri = /^ready (mongodb:.*)$/.exec(line)?.[1];
    if (uri === undefined) continue;
    return {
      ...addressOf(uri),
      async [Symbol.asyncDispose]() {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('the engine ended before it was ready');
}

/** Starts an engine that accepts clients without credentials, and deletes its data when it is closed. */
export async function startOpenEngine(port?: number): Promise<EngineAddress & AsyncDisposable> {
  const engine = await startOpen({ replicaSet: 'rs', ...(port === undefined ? {} : { port }) });
  return { ...addressOf(engine.uri), [Symbol.asyncDispose]: () => engine.close() };
}

function addressOf(uri: string): EngineAddress {
  // Keep only one host, since a `URL` cannot have several.
  const { hostname, port, username, password } = new URL(uri.replace(/,[^/]*/, ''));
  return { uri, host: hostname, port: Number(port), username, password };
}
