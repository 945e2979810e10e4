import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** The package as it is published, and programs that use it. */

export const project = dirname(dirname(import.meta.dirname));
/** Installing fetches about 60 MB where npm's cache lacks it. */
export const PACKAGE_LIMIT_MS = 150_000;
/** For npm: as little as possible over the network, and no talk. */
export const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** npm's own variables would point a second npm at this project; what a person configured stays. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|config_local_prefix)|NODE_TEST_CONTEXT|INIT_CWD)/.test(name),
  ),
);

/** Runs a command to its end and answers what it wrote; fails the test when the command fails. */
export function run(cwd: string, command: string, ...args: string[]): string {
  // Windows starts scripts through its shell only.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const options = { cwd, env: environment, shell, timeout: PACKAGE_LIMIT_MS, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  assert.equal(status, 0, `${basename(command)} ${args.join(' ')}: ${signal ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}
