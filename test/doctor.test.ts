import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  commonSettings,
  runCommand,
  type Settings,
  scopeOf,
  startService,
  temporaryFolder,
} from './support/service.ts';

/** `portolan doctor` and `portolan completion`: what is said of a machine, and what follows from the table of commands. */

async function asked(settings: Settings) {
  const { code, out } = await runCommand('doctor', settings);
  const lines = out.trimEnd().split('\n');
  return { code, last: lines.pop(), lines };
}

const without = (lines: readonly string[], mark: string) => lines.filter((line) => !line.startsWith(mark));

test('what is well is told, and what is not, before a start, beside a service and after a kill', async (t) => {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const settings = { ...(await commonSettings(scope)), 'data-dir': join(folder, 'data') };
  const fresh = await asked(settings);
  assert.deepEqual([fresh.code, without(fresh.lines, 'ok')], [0, []]);
  assert.ok(fresh.lines.some((line) => line.includes('a secret key will be made')));

  const service = await startService(scope, settings['data-dir'], settings);
  const beside = await asked(settings);
  assert.deepEqual([beside.code, beside.last], [0, 'all is well']);
  assert.ok(
    beside.lines.includes(
      `ok    the service that runs (process ${service.pid}) is ready at ${service.bootstrap.url}`,
    ),
  );

  const host = service.hostPid();
  await service.kill();
  const left = await asked(settings);
  assert.deepEqual(left.code, 0);
  assert.deepEqual(without(left.lines, 'ok'), [
    `WARN  an engine host (process ${host}) runs without a service: its databases are up, and the next start goes on with it`,
  ]);
});

test('what stands in the way of a start is told in a sentence each', async (t) => {
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
  const said = without(lines, 'ok');
  assert.deepEqual([code, last], [1, '4 bad, 1 to look at']);
  const sentences = [
    /^WARN {2}the data directory .* may be entered by others: chmod 700 /,
    /^BAD {3}the secret key .*short\.key does not hold 32 bytes as base64$/,
    /^BAD {3}the certificate .*short\.key cannot be read: /,
    /^BAD {3}PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: /,
    /^BAD {3}the service cannot listen on 127\.0\.0\.1:\d+: the port is taken$/,
  ];
  for (const [index, sentence] of sentences.entries()) assert.match(said[index] ?? '', sentence);
  assert.ok(!lines.join('\n').includes('hidden'));
});

test('shells complete commands, what follows them, and settings', async () => {
  const script = (await runCommand('completion bash', {})).out;
  const completed = (...typed: string[]) => {
    const ask = `COMP_WORDS=(${typed.join(' ')}); COMP_CWORD=${typed.length - 1}; _portolan; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' }).trim();
  };
  assert.equal(completed('portolan', 'sta'), 'start state');
  assert.equal(completed('portolan', 'state', 're'), 'restore reset');
  assert.equal(completed('portolan', 'clock', 'f'), 'freeze');
  assert.equal(completed('portolan', 'start', '--data'), '--data-dir --database');
  for (const shell of ['zsh', 'fish']) {
    const { code, out } = await runCommand(`completion ${shell}`, {});
    assert.equal(code, 0);
    for (const word of ['freeze', 'restore', 'snapshot-store'])
      assert.ok(out.includes(word), `${shell}: ${word}`);
  }
  assert.match(
    (await runCommand('completion sh', {})).err,
    /^portolan: portolan completion takes one of bash, zsh, fish$/m,
  );
});
