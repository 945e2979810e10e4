import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PublishedName } from '../scripts/build/bundle.ts';
import { stagePackage } from '../scripts/build/stage.ts';
import { PACKAGE_LIMIT_MS, project, QUIET, run } from './support/packed.ts';
import { REMOVAL } from './support/removal.ts';

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  t.after(() => rmSync(folder, REMOVAL));
  return folder;
}

/** Packs a package. Returns the path of the tarball. */
function pack(name: PublishedName, folder: string): string {
  const staging = join(folder, `staging-${name}`);
  stagePackage(name, staging);
  const written = run(staging, 'npm', 'pack', '--json', '--ignore-scripts', '--loglevel=error');
  return join(staging, /"filename": "(.+)"/.exec(written)?.[1] ?? '');
}

/** A TypeScript program that uses everything that the package declares. */
const consumer = `
import { type PortolanService, start } from 'portolan';
import { type Engine, startEngine } from 'portolan/engine';
import { errors, MongoMemoryReplSet, MongoMemoryServer, type MongoMemoryServerOpts } from 'portolan/memory-server';

export async function use(options: MongoMemoryServerOpts): Promise<string[]> {
  await using service: PortolanService = await start({ settings: { 'strict-versions': true } });
  await using engine: Engine = await startEngine({ members: 3 });
  await using server = await MongoMemoryServer.create(options);
  const set = await MongoMemoryReplSet.create({ replSet: { count: 3, auth: { enable: true } } });
  const port: number | undefined = server.instanceInfo?.port;
  if (port === undefined) throw new errors.InstanceInfoError('use');
  return [service.credentials.publicKey, engine.uri, server.getUri('harbour'), set.getUri()];
}
`;

/**
 * Checks the types of the program with the default settings of a new project. This checks the declarations of the
 * package, but not those of TypeScript itself.
 */
function checkConsumer(home: string): void {
  writeFileSync(join(home, 'consumer.mts'), consumer);
  const types = ['--types', 'node', '--typeRoots', join(project, 'node_modules/@types')];
  const options = [
    '--noEmit',
    '--strict',
    '--skipDefaultLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    ...types,
  ];
  run(home, process.execPath, join(project, 'node_modules/typescript/bin/tsc6'), ...options, 'consumer.mts');
}

test('the packed service, installed in an empty folder, runs the tour', {
  timeout: PACKAGE_LIMIT_MS,
}, (t) => {
  const folder = emptyFolder(t);
  const tarball = pack('portolan', folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  run(home, 'npm', 'install', tarball, ...QUIET);
  const installed = join(home, 'node_modules/portolan');
  for (const file of [
    'README.md',
    'LICENSE',
    'dist/main.js',
    'dist/library/index.d.ts',
    'bin/portolan.cjs',
  ]) {
    assert.ok(existsSync(join(installed, file)), `${file} is in the package`);
  }
  assert.ok(!existsSync(join(installed, 'src')), 'the package contains no TypeScript source');
  const packages = readdirSync(join(home, 'node_modules'));
  assert.ok(!packages.some((name) => /^node-(linux|bin|win)/.test(name)), 'no Node.js is installed with it');
  checkConsumer(home);
  run(home, process.execPath, join(installed, 'bin/portolan.cjs'), 'tour');
});

/** Limits for an installation of the engine. */
const ENGINE = { packages: 40, megabytes: 30 };

const database = `
import { startEngine } from '@portolan/engine';
import { MongoMemoryServer } from '@portolan/engine/memory-server';
const engine = await startEngine();
await engine.reset();
await engine.close();
const server = await MongoMemoryServer.create();
console.log(server.getUri().startsWith('mongodb://127.0.0.1:'));
await server.stop();
`;

test('the packed engine installs alone, without native code, and starts databases', {
  timeout: PACKAGE_LIMIT_MS,
}, (t) => {
  const folder = emptyFolder(t);
  const tarball = pack('engine', folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  run(home, 'npm', 'install', tarball, ...QUIET);
  const lock = JSON.parse(readFileSync(join(home, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const count = Object.keys(lock.packages).length;
  assert.ok(count <= ENGINE.packages, `${count} packages`);
  const files = readdirSync(join(home, 'node_modules'), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  assert.deepEqual(
    paths.filter((path) => path.endsWith('.node')),
    [],
  );
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  assert.ok(bytes <= ENGINE.megabytes * 1_000_000, `${bytes} bytes`);
  t.diagnostic(`${count} packages, ${(bytes / 1_000_000).toFixed(1)} MB`);
  writeFileSync(join(home, 'database.mjs'), database);
  assert.equal(run(home, process.execPath, 'database.mjs'), 'true\n');
  assert.match(
    run(
      home,
      process.execPath,
      join(home, 'node_modules/@portolan/engine/bin/portolan-engine.cjs'),
      '--help',
    ),
    /^portolan-engine /,
  );
});
