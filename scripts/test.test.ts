import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectWith } from './testing.ts';

function runSuite(root: string, ...args: string[]) {
  // Node sets this variable for tests. With it, a nested suite would refuse to run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  mkdirSync(join(root, 'tmp'), { recursive: true });
  return spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...args], {
    cwd: root,
    env: { ...env, TMPDIR: join(root, 'tmp') },
    encoding: 'utf8',
    timeout: 400_000,
  });
}

const good = "import { test } from 'node:test';\ntest('good', () => {});\ntest('better', () => {});\n";
const bad = `
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
console.log('some output');
describe('suite', () => {
  test('bad', () => assert.equal(1, 2));
  test('good', () => {});
});
`;

test('a suite that passes ends with its counts and 0', (t) => {
  const { status, stdout } = runSuite(projectWith(t, { 'packages/service/src/good.test.ts': good }));
  assert.match(stdout, /^ok {4}packages\/service\/src\/good\.test\.ts {2}2 tests/m);
  assert.match(
    stdout,
    /^# tests 2\n# pass 2\n# fail 0\n# skipped 0\n# duration_ms \d+\n2 passed, 0 failed\n$/m,
  );
  assert.equal(status, 0);
});

test('a failing test is reported with its position, reason and output', (t) => {
  const { status, stdout } = runSuite(
    projectWith(t, { 'packages/service/src/bad.test.ts': bad, 'packages/service/src/good.test.ts': good }),
  );
  assert.match(stdout, /^FAIL {2}packages\/service\/src\/bad\.test\.ts {2}2 tests/m);
  assert.match(stdout, /suite › bad {2}\(packages\/service\/src\/bad\.test\.ts:6:3\)\n.*AssertionError/);
  assert.match(stdout, /output of the file:\n +some output/);
  assert.match(stdout, /\n3 passed, 1 failed\n$/);
  assert.equal(status, 1);
});

test('a file that cannot be loaded, and one without a test, fail', (t) => {
  const files = {
    'packages/service/src/broken.test.ts': "import './missing.ts';\n",
    'packages/service/src/empty.test.ts': 'export {};\n',
  };
  const { status, stdout } = runSuite(projectWith(t, files));
  assert.match(stdout, /FAIL {2}packages\/service\/src\/broken\.test\.ts.*ERR_MODULE_NOT_FOUND/s);
  assert.match(stdout, /FAIL {2}packages\/service\/src\/empty\.test\.ts.*no test in it/s);
  assert.match(stdout, /\n0 passed, 2 failed\n$/);
  assert.equal(status, 1);
});

test('a test that hangs, and a process that does not end, are ended by their limit', (t) => {
  const hangs =
    "import { test } from 'node:test';\ntest('hangs', () => new Promise((r) => setTimeout(r, 1e6)));\n";
  const stays = `${good}setInterval(() => {}, 1e6);\n`;
  const root = projectWith(t, {
    'packages/service/src/hangs.test.ts': hangs,
    'packages/service/src/stays.test.ts': stays,
  });
  const { status, stdout } = runSuite(root, '--timeout', '40');
  assert.match(stdout, /hangs {2}\(packages\/service\/src\/hangs\.test\.ts:2:1\)\n.*timed out/);
  assert.match(stdout, /FAIL {2}packages\/service\/src\/stays\.test\.ts.*nothing happened for 10 s/s);
  assert.equal(status, 1);
});

test('a process that ends with an error after its tests have passed is reported with its exit code or signal', (t) => {
  const exits = `${good}process.on('exit', () => void (process.exitCode = 7));\n`;
  const killed = `${good}process.on('exit', () => void process.kill(process.pid, 'SIGKILL'));\n`;
  const root = projectWith(t, { 'packages/service/src/exits.test.ts': exits, 'test/killed.test.ts': killed });
  const { status, stdout } = runSuite(root);
  assert.match(stdout, /FAIL {2}packages\/service\/src\/exits\.test\.ts.*its process exited with 7/s);
  assert.match(stdout, /FAIL {2}test\/killed\.test\.ts.*its process was ended by SIGKILL/s);
  assert.equal(status, 1);
});

test('an error that is thrown after its test has ended is reported', (t) => {
  const late = `import { test } from 'node:test';
    test('good', () => void Promise.resolve().then(() => setImmediate(() => Promise.reject(new Error('too late')))));
    test('last', () => new Promise((done) => setTimeout(done, 50)));\n`;
  const { status, stdout } = runSuite(projectWith(t, { 'packages/service/src/late.test.ts': late }));
  assert.match(stdout, /FAIL {2}packages\/service\/src\/late\.test\.ts.*too late/s);
  assert.equal(status, 1);
});

test('filters select files, --grep selects tests, and a run that selects nothing fails', (t) => {
  const root = projectWith(t, {
    'packages/service/src/bad.test.ts': bad,
    'packages/service/src/good.test.ts': good,
  });
  assert.match(runSuite(root, 'good').stdout, /\n2 passed, 0 failed\n$/);
  assert.match(runSuite(root, '--grep', '^better$').stdout, /\n1 passed, 0 failed\n$/);
  const nothing = runSuite(root, 'absent');
  assert.match(nothing.stdout, /\n0 passed, 0 failed\n$/);
  assert.equal(nothing.status, 1);
});

test('files and processes that tests leave behind are removed after the run', (t) => {
  const leaves = `
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
test('leaves', () => {
  const directory = mkdtempSync(tmpdir() + '/left-');
  const program = 'setInterval(() => {}, 1000)';
  spawn(process.execPath, ['-e', program, directory], { detached: true, stdio: 'ignore' }).unref();
});
`;
  const root = projectWith(t, { 'packages/service/src/leaves.test.ts': leaves });
  const { status, stdout } = runSuite(root);
  assert.match(stdout, /^left running: \d+ .*\/left-/m);
  assert.deepEqual(readdirSync(join(root, 'tmp')), []);
  assert.equal(status, 0);
});
