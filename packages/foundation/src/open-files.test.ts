import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { connectionsWithin, openFileLimit } from './open-files.ts';

test('a process knows its limit of open files', () => {
  const program = `import('${import.meta.resolve('./open-files.ts')}').then((m) => console.log(m.openFileLimit()))`;
  const script = 'ulimit -n 321; exec "$0" "$@"';
  const output = execFileSync('sh', ['-c', script, process.execPath, '-e', program], { encoding: 'utf8' });
  assert.equal(output.trim(), '321');
  assert.ok(openFileLimit() > 0);
});

test('a share of the descriptors is reserved', () => {
  assert.deepEqual([100, 1_024, 20_000, Number.POSITIVE_INFINITY].map(connectionsWithin), [
    36,
    768,
    19_488,
    Number.POSITIVE_INFINITY,
  ]);
});
