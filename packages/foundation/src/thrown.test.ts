import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { asError, errorCode, errorMessage, isAbsent } from './thrown.ts';

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('errors and other values have a message', () => {
  assert.equal(errorMessage(new TypeError('wrong type')), 'wrong type');
  assert.equal(errorMessage(7), '7');
  assert.equal(errorMessage(undefined), 'undefined');
});

test('errors stay as they are, and other values become errors', () => {
  const error = new TypeError('wrong type');
  assert.equal(asError(error), error);
  assert.equal(asError('gone').message, 'gone');
});

test('only errors with a code have one, and a missing file is absent', () => {
  const missing = thrownBy(() => readFileSync(join(tmpdir(), 'portolan-missing', 'file')));
  assert.equal(errorCode(missing), 'ENOENT');
  assert.equal(isAbsent(missing), true);
  const directory = thrownBy(() => readFileSync(tmpdir()));
  assert.equal(isAbsent(directory), false);
  assert.equal(errorCode(Object.assign(new Error('number'), { code: 7 })), undefined);
  assert.equal(errorCode({ code: 'ENOENT' }), undefined);
});
