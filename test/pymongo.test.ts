import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { engineAlone } from './support/engine-alone.ts';
import { runProgram } from './support/tools.ts';

const PYMONGO = 'pymongo==4.15.4';
/** Below what git, the checks and the compiler pass over; kept between runs. */
const FOLDER = join(import.meta.dirname, '..', 'node_modules', '.cache', 'portolan-pymongo');
const PYTHON =
  process.platform === 'win32' ? join(FOLDER, 'Scripts', 'python.exe') : join(FOLDER, 'bin', 'python');
const CHECKS = join(import.meta.dirname, 'tools', 'pymongo_checks.py');

const INSTALL_LIMIT_MS = 60_000;

/** Answers why PyMongo cannot be had on this machine; nothing when it is there. */
async function installPyMongo(): Promise<string | undefined> {
  if ((await runProgram(PYTHON, ['-c', 'import pymongo'])).code === 0) return undefined;
  const steps = [
    ['python3', '-m', 'venv', '--clear', FOLDER],
    [PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PYMONGO],
  ];
  for (const [program = '', ...args] of steps) {
    const { code, stderr } = await runProgram(program, args, { limit: INSTALL_LIMIT_MS });
    if (code !== 0) return `${args.slice(0, 3).join(' ')}: ${stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}

describe('PyMongo on an engine alone', () => {
  const uri = engineAlone();

  test('finds every check of what an application does', { timeout: 170_000 }, async (t: TestContext) => {
    const missing = await installPyMongo();
    if (missing !== undefined) {
      t.diagnostic(`PyMongo was not tried, as it cannot be installed here: ${missing}`);
      return;
    }
    const { code, stdout, stderr } = await runProgram(PYTHON, [CHECKS, uri()]);
    const lines = stdout.trim().split('\n');
    const failed = lines.filter((line) => !line.startsWith('ok '));
    assert.deepEqual(failed, [], stderr);
    assert.deepEqual([code, lines.length], [0, 11], stderr);
  });
});
