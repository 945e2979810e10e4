import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConfiguration } from './operations.ts';

test('test notifications are rate-limited, because each request sends mails and calls other services', () => {
  assert.equal(testConfiguration.rateLimited, true);
});
