import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const project = dirname(import.meta.dirname);
/** Installing fetches about 60 MB where npm's cache lacks it. */
const LIMIT_MS = 150_000;

/** npm's own variables would point a second npm at this project; what a person configured stays. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|config_local_prefix)|NODE_TEST_CONTEXT|INIT_CWD)/.test(name),
  ),
);

/** Runs a command to its end and answers what it wrote; fails the test when the command fails. */
function run(cwd: string, command: string, ...args: string[]): string {
  // Windows starts scripts through its shell only.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const options = { cwd, env: environment, shell, timeout: LIMIT_MS, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  assert.equal(status, 0, `${basename(command)} ${args.join(' ')}: ${signal ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Builds beside a copy of what the manifest lists, so that the working tree stays as it is. Answers the tarball. */
function pack(folder: string): string {
  const staging = join(folder, 'staging');
  mkdirSync(staging);
  // `npm run check` has checked the types of the same files, which takes four times as long as writing them.
  run(project, process.execPath, join(project, 'scripts/build.ts'), join(staging, 'dist'), '--noCheck');
  const { files } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { files: string[] };
  for (const file of ['package.json', ...files]) {
    if (file !== 'dist') cpSync(join(project, file), join(staging, file), { recursive: true });
  }
  const written = run(staging, 'npm', 'pack', '--json', '--ignore-scripts', '--loglevel=error');
  return join(staging, /"filename": "(.+)"/.exec(written)?.[1] ?? '');
}

test('the packed project, installed in an empty folder, plays the tour', { timeout: LIMIT_MS }, (t) => {
  const folder = emptyFolder(t);
  const tarball = pack(folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  run(home, 'npm', 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  const installed = join(home, 'node_modules/portolan');
  for (const file of ['README.md', 'LICENSE', 'dist/main.js', 'scripts/run.cjs']) {
    assert.ok(existsSync(join(installed, file)), `${file} is in the package`);
  }
  assert.ok(!existsSync(join(installed, 'src')), 'the package holds no TypeScript');
  run(home, join(home, 'node_modules/.bin/portolan'), 'tour');
});
