import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from './support/expect.ts';
import { end as endProcess } from './support/processes.ts';
import { commonSettings, scopeOf, temporaryFolder } from './support/service.ts';

/**
 * Checks that a service ends together with the command that started it, however the command ends. Its engine host and
 * its folder must be gone then, too.
 */

const project = dirname(import.meta.dirname);
const NEXT_LOOKS_MS = 1_000;

interface Running {
  readonly pid: number;
  readonly command: string;
}

function processesWith(...marks: string[]): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(name) }))
    .filter(({ command }) => marks.some((mark) => command.includes(mark)));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Runs a shell command in the clone, as a user types it, until the service that it starts is ready. */
async function typed(t: TestContext, line: (flags: string) => string) {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const settings = { ...(await commonSettings(scope)), 'public-url': `http://${randomUUID()}.example` };
  const flags = Object.entries(settings).map(([name, value]) => `--${name} ${value}`);
  const shell = spawn('sh', ['-c', line(`--ephemeral ${flags.join(' ')}`)], {
    cwd: project,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const running = () => processesWith(settings['public-url'], `${folder}/`);
  scope.after(() => {
    for (const { pid } of running()) endProcess(pid);
  });
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const isReady = async () => printed;
  await until('the service is ready', isReady, (text) => text.includes('ready '));
  return {
    /** Finds the process of the service among the running ones. */
    service() {
      const service = running().find(({ command }) => /--disable-warning.*main\.[jt]s start/.test(command));
      assert.ok(service && running().length >= 2, 'the service and its engine host run');
      return service.pid;
    },
    npm: Number(/^npm (\d+)$/m.exec(printed)?.[1] ?? 0),
    running,
    left: () => [...running().map(({ command }) => command), ...readdirSync(folder)],
    shell,
  };
}

const inBackground = (flags: string) => `npm start --silent -- ${flags} & echo "npm $!"; wait`;

const endings: Record<string, (started: Awaited<ReturnType<typeof typed>>) => void> = {
  'npm is asked to end': ({ npm }) => process.kill(npm, 'SIGTERM'),
  'npm is killed': ({ npm }) => process.kill(npm, 'SIGKILL'),
  'the terminal is closed': ({ shell }) => process.kill(-(shell.pid ?? 0), 'SIGHUP'),
};

// Only Linux has `/proc`. The service looks there for the processes that started it, and this test for the service.
const isLinux = existsSync('/proc/self/stat');

for (const [how, end] of Object.entries(endings)) {
  test(`a service ends when ${how}`, async (t) => {
    if (!isLinux) return t.diagnostic('only on Linux');
    const started = await typed(t, inBackground);
    started.service();
    end(started);
    await until(
      'the end of everything',
      async () => started.left(),
      (left) => left.length === 0,
    );
  });
}

test('a service stops when its output is no longer read', async (t) => {
  if (!isLinux) return t.diagnostic('only on Linux');
  const started = await typed(t, (flags) => `npm start --silent -- ${flags} | head -n 1`);
  await until(
    'the end of everything',
    async () => started.left(),
    (left) => left.length === 0,
  );
});

test('a service with --stay outlives npm and stops on request', async (t) => {
  if (!isLinux) return t.diagnostic('only on Linux');
  const started = await typed(t, (flags) => inBackground(`--stay ${flags}`));
  const service = started.service();
  const ended = once(started.shell, 'exit');
  process.kill(started.npm, 'SIGKILL');
  await ended;
  await new Promise((done) => setTimeout(done, NEXT_LOOKS_MS));
  assert.ok(started.running().some(({ pid }) => pid === service));
  process.kill(service, 'SIGTERM');
  await until(
    'the end of everything',
    async () => started.left(),
    (left) => left.length === 0,
  );
});
