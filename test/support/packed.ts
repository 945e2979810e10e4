import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Helpers for tests of the published package. */

export const project = dirname(dirname(import.meta.dirname));
/** Time limit. With an empty npm cache, the installation downloads about 60 MB. */
export const PACKAGE_LIMIT_MS = 840_000;
/** Flags that make npm quiet and limit its use of the network. */
export const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * The environment without npm's own variables, which would make a nested npm use this project. The user's configuration
 * stays.
 */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|config_local_prefix)|NODE_TEST_CONTEXT|INIT_CWD)/.test(name),
  ),
);

/** Runs a command. Returns its output, or makes the test fail if the command fails. */
export function run(cwd: string, command: string, ...args: string[]): string {
  // On Windows, only a shell can start scripts.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const options = { cwd, env: environment, shell, timeout: PACKAGE_LIMIT_MS, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  assert.equal(status, 0, `${basename(command)} ${args.join(' ')}: ${signal ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}
