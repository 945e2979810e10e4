import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before } from 'node:test';
import { readyUri } from './engine-line.ts';
import { MAIN } from './program.ts';

/**
 * Runs a standalone engine (`npm run engine`) for the tests of a suite, on free ports and with its own data. Returns a
 * function that returns the connection string of a user with all privileges. `leave` must close the clients, since
 * closing a driver takes long once its server has ended.
 */
export function engineAlone(leave: () => Promise<unknown> = async () => {}): () => string {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const engine = spawn(process.execPath, [...flags, MAIN, 'engine', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let uri: string | undefined;
  before(async () => {
    uri = await readyUri(engine);
  });
  after(async () => {
    try {
      await leave();
    } finally {
      // The engine may have ended by itself.
      if (engine.exitCode === null && engine.kill('SIGTERM')) await once(engine, 'exit');
    }
  });
  return () => {
    assert.ok(uri);
    return uri;
  };
}
