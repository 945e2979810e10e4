import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { engineAlone } from './support/engine-alone.ts';
import { pymongo } from './support/python.ts';
import { runProgram } from './support/tools.ts';

const CHECKS = join(import.meta.dirname, 'tools', 'pymongo_checks.py');

describe('PyMongo on a standalone engine', () => {
  const uri = engineAlone();

  test("passes every check of an application's operations", async (t: TestContext) => {
    const missing = await pymongo.install();
    if (missing !== undefined) {
      t.diagnostic(`PyMongo was not tried, as it cannot be installed here: ${missing}`);
      return;
    }
    const { code, stdout, stderr } = await runProgram(pymongo.python, [CHECKS, uri()]);
    const lines = stdout.trim().split('\n');
    const failed = lines.filter((line) => !line.startsWith('ok '));
    assert.deepEqual(failed, [], stderr);
    assert.deepEqual([code, lines.length], [0, 11], stderr);
  });
});
