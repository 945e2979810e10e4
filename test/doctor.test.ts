import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from './support/expect.ts';
import {
  commonSettings,
  runCommand,
  type Settings,
  scopeOf,
  startService,
  temporaryFolder,
} from './support/service.ts';

/**
 * Tests `portolan doctor`, which examines a machine, and `portolan completion`, whose scripts are generated from the
 * table of commands.
 */

async function asked(settings: Settings) {
  const { code, out } = await runCommand('doctor', settings);
  const lines = out.trimEnd().split('\n');
  return { code, last: lines.pop(), lines };
}

const without = (lines: readonly string[], mark: string) => lines.filter((line) => !line.startsWith(mark));

test('reports good and bad checks before a start, next to a running service and after a kill', async (t) => {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const settings = { ...(await commonSettings(scope)), 'data-dir': join(folder, 'data') };
  const fresh = await asked(settings);
  assert.deepEqual([fresh.code, without(fresh.lines, 'ok')], [0, []]);
  assert.ok(fresh.lines.some((line) => line.includes('a secret key will be created')));

  const service = await startService(scope, settings['data-dir'], settings);
  // On a busy machine, a healthy service can respond later than the five seconds for which the command waits.
  const running = await until(
    'a timely response of the service',
    () => asked(settings),
    ({ lines }) => !lines.some((line) => line.includes('does not answer')),
  );
  assert.deepEqual([running.code, running.last], [0, 'all checks passed']);
  assert.ok(
    running.lines.includes(
      `ok    the running service (process ${service.pid}) is ready at ${service.bootstrap.url}`,
    ),
  );

  const host = service.hostPid();
  await service.kill();
  const left = await asked(settings);
  assert.deepEqual(left.code, 0);
  assert.deepEqual(without(left.lines, 'ok'), [
    `WARN  an engine host (process ${host}) runs without a service: its databases are available, and the next start connects to it`,
  ]);
});

test('reports each obstacle to a start in one sentence', async (t) => {
  const folder = await temporaryFolder(scopeOf(t));
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const dataDirectory = join(folder, 'data');
  await mkdir(dataDirectory);
  await chmod(dataDirectory, 0o755);
  const key = join(folder, 'short.key');
  await writeFile(key, 'c2hvcnQ=\n', { mode: 0o644 });
  const { code, last, lines } = await asked({
    ...{ 'data-dir': dataDirectory, listen: `127.0.0.1:${port}`, 'secret-key': key },
    ...{ 'tls-cert': key, 'tls-key': key, database: `postgres://ada:hidden@127.0.0.1:9/none` },
  });
  const failing = without(lines, 'ok');
  assert.deepEqual([code, last], [1, '4 failed, 1 with warnings']);
  const sentences = [
    /^WARN {2}other users can access the data directory .*: chmod 700 /,
    /^BAD {3}the secret key .*short\.key does not contain 32 bytes as base64$/,
    /^BAD {3}the certificate .*short\.key cannot be read: /,
    /^BAD {3}PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: /,
    /^BAD {3}the service cannot listen on 127\.0\.0\.1:\d+: the port is in use$/,
  ];
  for (const [index, sentence] of sentences.entries()) assert.match(failing[index] ?? '', sentence);
  assert.ok(!lines.join('\n').includes('hidden'));

  await writeFile(join(dataDirectory, 'portolan.sqlite'), 'no database');
  const damaged = await asked({ 'data-dir': dataDirectory, listen: '127.0.0.1:0' });
  assert.equal(damaged.code, 1);
  const bads = damaged.lines.filter((line) => line.startsWith('BAD'));
  assert.match(bads.join('\n'), /^BAD {3}the secret key .* is missing\nBAD {3}the database .* is damaged$/);
});

/** How to make each shell complete the line in `$LINE`, once the completion script is loaded. */
const asking: Readonly<Record<string, { readonly program: readonly string[]; readonly ask: string }>> = {
  bash: {
    program: ['bash', '-c'],
    ask: `COMP_WORDS=($LINE); [[ $LINE == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _portolan; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  fish: { program: ['fish', '--no-config', '-c'], ask: 'complete -C "$LINE"' },
  // Read the candidates from the function that prints them, since a terminal would wrap and color them.
  zsh: {
    program: ['zsh', '-f', '-c'],
    ask: `words=(\${=LINE}); [[ $LINE == *' ' ]] && words+=(''); CURRENT=$#words; PREFIX=$words[CURRENT]
      _describe() { print -l -- "\${(@P)2}" }; _files() { print -l -- $PREFIX*(N) }; _portolan`,
  },
};

function completed(shell: string, script: string, line: string): string[] | undefined {
  const { program: [program = '', ...args] = [], ask } = asking[shell] ?? {};
  const before = shell === 'zsh' ? 'compdef() {}; ' : '';
  const run = spawnSync(program, [...args, `${before}${script}\n${ask}`], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    env: { ...process.env, LINE: line },
  });
  if (run.error !== undefined) return undefined;
  assert.equal(run.stderr, '', shell);
  const typed = line.split(' ').at(-1) ?? '';
  const names = run.stdout.split('\n').map((one) => one.split(/[\t:]/, 1)[0] ?? '');
  return names.filter((name) => name !== '' && name.startsWith(typed)).toSorted();
}

test('shells complete commands, their arguments, and settings', async (t) => {
  for (const shell of Object.keys(asking)) {
    const { code, out: script } = await runCommand(`completion ${shell}`, {});
    assert.equal(code, 0);
    for (const word of ['freeze', 'restore', 'snapshot-store'])
      assert.ok(script.includes(word), `${shell}: ${word}`);
    for (const [line, expected] of [
      ['portolan sta', ['start', 'state']],
      ['portolan state re', ['reset', 'restore']],
      ['portolan clock f', ['freeze']],
      ['portolan start --data', ['--data-dir', '--database']],
      // This argument is completed with the names of files in this folder.
      ['portolan state save li', ['live-migrations.test.ts']],
    ] as const) {
      const found = completed(shell, script, line);
      if (found === undefined) {
        t.diagnostic(`${shell} is not installed: its script was not run`);
        break;
      }
      assert.deepEqual(found, expected, `${shell}: ${line}`);
    }
  }
  assert.match(
    (await runCommand('completion sh', {})).err,
    /^portolan: portolan completion takes one of bash, zsh, fish$/m,
  );
});
