import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDataDirectory, ownerOf, refuseForeignDatabase, refuseLostDatabase } from './data-directory.ts';

function temporary(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'portolan-directory-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts another process that opens the directory, reports the result, and keeps running. */
async function other(
  t: TestContext,
  path: string,
  account = {},
): Promise<[process: ChildProcess, said: string]> {
  const program = `
    import { openDataDirectory } from ${JSON.stringify(join(import.meta.dirname, 'data-directory.ts'))};
    try { openDataDirectory(process.argv[1]); globalThis.gc(); console.log('locked'); } catch (error) { console.log(error.message); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, path], {
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return [child, String(said).trim()];
}

test('a remote database without a record of the local clusters is rejected', (t) => {
  const clusters = join(temporary(t), 'clusters');
  refuseForeignDatabase(clusters);
  mkdirSync(join(clusters, '5f00000000000000000000aa'), { recursive: true });
  const expected = `The database has no record of the clusters in ${clusters}`;
  assert.throws(
    () => refuseForeignDatabase(clusters),
    ({ kind, message }) => kind === 'configuration' && message.startsWith(expected),
  );
});

test('a missing or empty database is rejected if there are clusters', (t) => {
  const path = temporary(t);
  const [file, clusters] = [join(path, 'portolan.sqlite'), join(path, 'clusters')];
  refuseLostDatabase(file, clusters);
  mkdirSync(join(clusters, '.removed-a'), { recursive: true });
  refuseLostDatabase(file, clusters);
  mkdirSync(join(clusters, 'b'));
  const lost = {
    name: 'StoreError',
    message: /portolan\.sqlite is missing or empty, but .* contains clusters: restore/,
  };
  assert.throws(() => refuseLostDatabase(file, clusters), lost);
  writeFileSync(file, '');
  assert.throws(() => refuseLostDatabase(file, clusters), lost);
  writeFileSync(file, 'SQLite');
  refuseLostDatabase(file, clusters);
});

// Only Linux has a file system in which not even root can create files.
if (process.platform === 'linux') {
  test('a path that cannot be created is reported', () => {
    assert.throws(() => openDataDirectory('/proc/portolan/data'), {
      name: 'StoreError',
      message: 'The data directory /proc/portolan/data cannot be used: a part of the path cannot be created',
    });
  });
}

test('a missing directory is created with its parents, accessible only to its owner', (t) => {
  const path = join(temporary(t), 'a', 'b');
  const directory = openDataDirectory(path);
  t.after(() => directory.close());
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(directory.path, path);
});

test('a directory in use is rejected until it is closed, even in the same process', (t) => {
  const path = temporary(t);
  const first = openDataDirectory(path);
  assert.equal(ownerOf(path), process.pid);
  assert.throws(() => openDataDirectory(path), {
    kind: 'busy',
    message: `The data directory ${path} is in use by process ${process.pid}`,
  });
  first.close();
  assert.equal(ownerOf(path), undefined);
  openDataDirectory(path).close();
});

test('the lock of a process holds until the process is killed', async (t) => {
  const path = temporary(t);
  const [child, said] = await other(t, path);
  assert.equal(said, 'locked');
  assert.throws(() => openDataDirectory(path), { message: new RegExp(`in use by process ${child.pid}$`) });
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  openDataDirectory(path).close();
});

test('a file instead of a directory is rejected', (t) => {
  const path = join(temporary(t), 'file');
  writeFileSync(path, '');
  assert.throws(() => openDataDirectory(path), {
    message: `The data directory ${path} cannot be used: it is not a directory`,
  });
  assert.throws(() => openDataDirectory(join(path, 'below')), {
    message: /a part of the path is not a directory/,
  });
});

test('a directory without write permission is rejected', async (t) => {
  const path = temporary(t);
  chmodSync(path, 0o555);
  // The test uses an unprivileged account, since permissions do not apply to root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const [, said] = await other(t, path, account);
  assert.equal(said, `The data directory ${path} cannot be used: permission denied`);
});
