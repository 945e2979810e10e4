import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Helpers for tests of the published package. */

export const project = dirname(dirname(import.meta.dirname));
/** Installing fetches about 60 MB where npm's cache lacks it. */
export const PACKAGE_LIMIT_MS = 150_000;
/** Makes npm quiet and limits its network use. */
export const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** npm's own variables would make a nested npm use this project; the user's configuration stays. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|config_local_prefix)|NODE_TEST_CONTEXT|INIT_CWD)/.test(name),
  ),
);

/** Runs a command and returns its output; fails the test if the command fails. */
export function run(cwd: string, command: string, ...args: string[]): string {
  // Windows needs a shell to start scripts.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const options = { cwd, env: environment, shell, timeout: PACKAGE_LIMIT_MS, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  assert.equal(status, 0, `${basename(command)} ${args.join(' ')}: ${signal ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}
