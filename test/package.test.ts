import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stagePackage } from '../scripts/build/stage.ts';
import { PACKAGE_LIMIT_MS, project, QUIET, run } from './support/packed.ts';

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Answers the tarball. */
function pack(folder: string): string {
  const staging = join(folder, 'staging');
  stagePackage('portolan', staging);
  const written = run(staging, 'npm', 'pack', '--json', '--ignore-scripts', '--loglevel=error');
  return join(staging, /"filename": "(.+)"/.exec(written)?.[1] ?? '');
}

/**
 * The packages with a Node.js, of which npm installs the one that fits: 190 MB, which took two fifths of the processor time
 * of the installation. The project has the same.
 */
function linkNode(home: string): void {
  const manifest = readFileSync(join(home, 'node_modules/portolan/package.json'), 'utf8');
  const { optionalDependencies } = JSON.parse(manifest) as { optionalDependencies: Record<string, string> };
  const names = Object.keys(optionalDependencies);
  assert.ok(names.length > 0 && names.every((name) => name.startsWith('node-')), names.join());
  for (const name of names) {
    const place = join(project, 'node_modules', name);
    if (existsSync(place)) symlinkSync(place, join(home, 'node_modules', name), 'junction');
  }
}

/** A program in TypeScript that uses what the package declares. */
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

/** Type checks it as a new project is set, and the declarations of the package as well; not those of the language. */
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

test('the packed project, installed in an empty folder, plays the tour', {
  timeout: PACKAGE_LIMIT_MS,
}, (t) => {
  const folder = emptyFolder(t);
  const tarball = pack(folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  run(home, 'npm', 'install', tarball, '--omit=optional', ...QUIET);
  linkNode(home);
  const installed = join(home, 'node_modules/portolan');
  const documents = ['README.md', 'LICENSE', 'docs/settings.md', 'docs/seed.schema.json'];
  for (const file of [...documents, 'dist/main.js', 'dist/library/index.d.ts', 'scripts/run.cjs']) {
    assert.ok(existsSync(join(installed, file)), `${file} is in the package`);
  }
  assert.ok(!existsSync(join(installed, 'src')), 'the package holds no TypeScript');
  checkConsumer(home);
  run(home, join(home, 'node_modules/.bin/portolan'), 'tour');
});
