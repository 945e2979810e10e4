import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine as startOpen } from '@portolan/engine/library/index';
import type { EngineAddress } from './suite.ts';

/** An engine whose data is deleted with it. */
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

/** An engine whose data is deleted with it, and which serves clients without a user. */
export async function startOpenEngine(port?: number): Promise<EngineAddress & AsyncDisposable> {
  const engine = await startOpen({ replicaSet: 'rs', ...(port === undefined ? {} : { port }) });
  return { ...addressOf(engine.uri), [Symbol.asyncDispose]: () => engine.close() };
}

function addressOf(uri: string): EngineAddress {
  // A `URL` cannot have several hosts.
  const { hostname, port, username, password } = new URL(uri.replace(/,[^/]*/, ''));
  return { uri, host: hostname, port: Number(port), username, password };
}
