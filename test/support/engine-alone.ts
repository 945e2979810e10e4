import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before } from 'node:test';
import { MAIN } from './program.ts';

/**
 * An engine that runs alone (`npm run engine`) while the tests of a suite do, on free ports and with data of its own.
 * Answers a function that gives its connection string, with a user with all privileges. `leave` closes what is
 * connected to it; a driver that finds nobody any more waits long before it closes.
 */
export function engineAlone(leave: () => Promise<unknown> = async () => {}): () => string {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const engine = spawn(process.execPath, [...flags, MAIN, 'engine', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let uri: string | undefined;
  before(async () => {
    const [line] = (await once(engine.stdout, 'data')) as [Buffer];
    uri = /^ready (\S+)/.exec(line.toString())?.[1];
    assert.ok(uri, line.toString());
  });
  after(async () => {
    try {
      await leave();
    } finally {
      engine.kill('SIGTERM');
      await once(engine, 'exit');
    }
  });
  return () => {
    assert.ok(uri);
    return uri;
  };
}
