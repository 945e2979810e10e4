import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLostRunner, startingChain } from './chain.ts';

const SERVICE = 'node /clone/src/main.ts start';

/** Returns the starting chain of process 1, the service. Each command is the parent of the one before it. */
function chainOf(...commands: string[]) {
  const facts = new Map(commands.map((command, index) => [index + 1, { parent: index + 2, command }]));
  return startingChain(1, (pid) => facts.get(pid)).map(({ child, parent }) => `${child} of ${parent}`);
}

test('npm, its shell and the service are one command', () => {
  const shell = 'sh -c node scripts/run.cjs packages/portolan/src/main.ts start';
  assert.deepEqual(chainOf(SERVICE, shell, 'npm start', 'bash'), ['1 of 2', '2 of 3']);
  assert.deepEqual(chainOf(SERVICE, 'node /usr/lib/node_modules/npm/bin/npm-cli.js start', 'bash'), [
    '1 of 2',
  ]);
  assert.deepEqual(chainOf(SERVICE, 'npm exec portolan start', 'bash'), ['1 of 2']);
});

test('a launcher between runner and service belongs to the command', () => {
  const launcher = '/usr/bin/node scripts/run.cjs packages/portolan/src/main.ts start';
  const shell = `sh -c ${launcher}`;
  assert.deepEqual(chainOf(SERVICE, launcher, shell, 'npm start', 'bash'), ['1 of 2', '2 of 3', '3 of 4']);
  assert.deepEqual(chainOf(SERVICE, launcher, 'bash', 'login'), ['1 of 2']);
});

test("a user's own script, a terminal or a service manager may end before the service", () => {
  assert.deepEqual(chainOf(SERVICE, 'bash', 'sshd'), []);
  assert.deepEqual(chainOf(SERVICE, 'sh -c node packages/portolan/src/main.ts start', 'systemd'), []);
  assert.deepEqual(chainOf(SERVICE, 'bash ./start-everything.sh', 'npm test'), []);
  assert.deepEqual(chainOf(SERVICE), []);
});

test('detects a runner that ended before the service started, with any processes between them', () => {
  const lost = (...commands: string[]) => {
    // The last command is that of the first process of the system.
    const facts = new Map(
      commands.map((command, index) => {
        const above = index + 2 === commands.length ? 1 : index + 11;
        return [index + 1 === commands.length ? 1 : index + 10, { parent: above, command }];
      }),
    );
    return hasLostRunner(10, (pid) => facts.get(pid));
  };
  const launcher = '/usr/bin/node scripts/run.cjs packages/portolan/src/main.ts start';
  for (const between of [[], [launcher], [`sh -c ${launcher}`], [launcher, `sh -c ${launcher}`]]) {
    assert.equal(lost(SERVICE, ...between, '/sbin/init'), true, between.join());
    assert.equal(lost(SERVICE, ...between, 'npm start', '/sbin/init'), false, between.join());
    assert.equal(lost(SERVICE, ...between, 'npm start'), false, between.join());
    assert.equal(lost(SERVICE, ...between, 'bash ./start-everything.sh', '/sbin/init'), false);
  }
});
