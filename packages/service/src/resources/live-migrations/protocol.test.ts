import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validator } from '../../api/schema/validator.ts';
import { Report } from './protocol.ts';

const deployment = {
  agentVersion: '0.1.0',
  dbSizeBytes: Number.MAX_SAFE_INTEGER,
  featureCompatibilityVersion: '8.0',
  managed: false,
  dbVersion: '8.0.29',
  name: 'fleet',
  oplogSizeMB: 2 ** 31 - 1,
  sharded: false,
  shardsSize: 2 ** 31 - 1,
  tlsEnabled: false,
};

const reportOf = (change: object) => ({
  organization: 'Old Harbour',
  projects: [
    { projectId: '0123456789abcdef01234567', name: 'x', deployments: [{ ...deployment, ...change }] },
  ],
  surveys: [],
  migrations: [],
});

test('rejects reported numbers that do not fit the fields of API responses', async () => {
  const check = validator(Report);
  assert.equal(await check(reportOf({})), undefined);
  for (const change of [{ dbSizeBytes: 1e300 }, { oplogSizeMB: 2 ** 31 }, { shardsSize: 2 ** 31 }])
    assert.equal((await check(reportOf(change)))?.length, 1, JSON.stringify(change));
});
