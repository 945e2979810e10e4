import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complies } from '../model/compliance/guard.ts';
import type { CompliancePolicy } from '../model/compliance/rows.ts';
import { minRetentionDays, strengthened } from '../model/compliance/strength.ts';
import type { PolicyItem, Schedule } from '../model/schedules/policy.ts';
import { checkNotWeaker, readPolicy } from './rules.ts';
import type { PolicyBody } from './schema.ts';

const GROUP = '0123456789abcdef01234567';
let made = 0;
const newId = () => `id-${made++}`;

const item = (
  frequencyType: PolicyItem['frequencyType'],
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit: PolicyItem['retentionUnit'] = 'days',
): PolicyItem => ({ id: newId(), frequencyType, frequencyInterval, retentionUnit, retentionValue });

const schedule = (items: PolicyItem[], restoreWindowDays = 7): Schedule => ({
  policyId: 'p',
  items,
  hour: 0,
  minute: 0,
  restoreWindowDays,
  namesInExportPrefix: false,
  extraRetention: [],
});

const policy = (change: Partial<CompliancePolicy> = {}): CompliancePolicy => ({
  email: 'ada@example.com',
  copyProtection: false,
  encryption: false,
  pit: false,
  windowDays: 0,
  onDemand: null,
  scheduled: [],
  deletable: false,
  updated: '2026-01-01T00:00:00.000Z',
  updatedBy: 'ada',
  overwrites: true,
  ...change,
});

const kept = ({ items }: Schedule) =>
  items.map((one) => [one.frequencyType, one.frequencyInterval, one.retentionValue, one.retentionUnit]);

test('a schedule is raised to the minimum of the policy, and no further', () => {
  const wanted = policy({
    windowDays: 10,
    scheduled: [item('hourly', 4, 14), item('weekly', 1, 5, 'weeks'), item('weekly', 5, 5, 'weeks')],
  });
  const weak = schedule([item('hourly', 6, 7), item('daily', 1, 7), item('weekly', 6, 4, 'weeks')]);
  assert.equal(complies(weak, wanted), false);
  const strong = strengthened(weak, wanted, newId);
  assert.deepEqual(kept(strong), [
    ['hourly', 4, 14, 'days'],
    ['daily', 1, 14, 'days'],
    ['weekly', 6, 5, 'weeks'],
    ['weekly', 5, 5, 'weeks'],
  ]);
  assert.equal(strong.restoreWindowDays, 10);
  assert.equal(complies(strong, wanted), true);
  assert.equal(strong.items[0]?.id, weak.items[0]?.id);

  const rich = schedule(
    [item('hourly', 1, 30), item('weekly', 2, 1, 'years'), item('weekly', 3, 1, 'years')],
    30,
  );
  assert.deepEqual(strengthened(rich, wanted, newId), rich);
  assert.equal(complies(schedule([]), policy()), true);
});

test('a policy cannot be weakened', () => {
  const before = policy({
    encryption: true,
    pit: true,
    windowDays: 5,
    onDemand: { ...item('daily', 1, 10), frequencyType: 'ondemand' },
    scheduled: [item('hourly', 6, 7), item('daily', 1, 7)],
    copyProtection: true,
  });
  const cases: [Partial<CompliancePolicy>, string][] = [
    [{ encryption: false }, 'CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY'],
    [{ pit: false }, 'CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY'],
    [{ windowDays: 4 }, 'CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY'],
    [{ onDemand: null }, 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID'],
    [{ scheduled: [item('hourly', 6, 7)] }, 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID'],
    [{ scheduled: [item('hourly', 6, 6), item('daily', 1, 7)] }, 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID'],
    [{ scheduled: [item('hourly', 8, 7), item('daily', 1, 7)] }, 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID'],
  ];
  for (const [change, code] of cases)
    assert.throws(() => checkNotWeaker(before, policy({ ...before, ...change })), { code });
  // These changes do not count as weaker, because the vendor's service accepts them, too.
  checkNotWeaker(before, policy({ ...before, copyProtection: false }));
  checkNotWeaker(before, policy({ ...before, scheduled: [item('daily', 1, 9), item('hourly', 4, 9)] }));
});

test('an inconsistent policy is rejected', () => {
  const body = (change: Partial<PolicyBody>): PolicyBody => ({
    authorizedEmail: 'ada@example.com',
    ...change,
  });
  const wanted = (
    frequencyType: PolicyItem['frequencyType'],
    frequencyInterval: number,
    retentionValue: number,
  ) => ({
    frequencyType,
    frequencyInterval,
    retentionUnit: 'days',
    retentionValue,
  });
  const onDemand = { ...wanted('daily', 0, 3), frequencyType: 'ondemand' as const };
  const refused: Partial<PolicyBody>[] = [
    { scheduledPolicyItems: [wanted('hourly', 5, 7)] },
    { scheduledPolicyItems: [wanted('daily', 1, 0)] },
    { scheduledPolicyItems: [{ ...wanted('daily', 1, 7), retentionUnit: 'DAYS' }] },
    { scheduledPolicyItems: [wanted('daily', 1, 7), wanted('daily', 1, 8)] },
    { scheduledPolicyItems: [wanted('hourly', 6, 9), wanted('daily', 1, 8)] },
    { pitEnabled: true },
    { pitEnabled: true, restoreWindowDays: 3 },
    { restoreWindowDays: -1 },
    { pitEnabled: true, restoreWindowDays: 8, scheduledPolicyItems: [wanted('hourly', 6, 7)] },
    { onDemandPolicyItem: { ...onDemand, frequencyInterval: 41 } },
    { onDemandPolicyItem: { ...onDemand, retentionValue: 0 } },
  ];
  for (const change of refused) {
    assert.throws(() => readPolicy(GROUP, body(change), newId), {
      code: 'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID',
    });
  }
  assert.throws(() => readPolicy(GROUP, body({ projectId: 'f'.repeat(24) }), newId), {
    code: 'INVALID_ATTRIBUTE',
  });
  const read = readPolicy(
    GROUP,
    body({
      onDemandPolicyItem: onDemand,
      pitEnabled: true,
      restoreWindowDays: 7,
      scheduledPolicyItems: [wanted('hourly', 6, 7)],
    }),
    newId,
  );
  assert.deepEqual([read.pit, read.windowDays, read.onDemand?.frequencyInterval], [true, 7, 0]);
  assert.deepEqual(
    ['ondemand', 'hourly', 'daily'].map((frequency) => minRetentionDays(policy(read), frequency)),
    [3, 7, 0],
  );
  // Accept these values in requests, because responses contain them if a policy has no on-demand item and no restore
  // window.
  assert.equal(
    readPolicy(GROUP, body({ onDemandPolicyItem: null, restoreWindowDays: 0 }), newId).windowDays,
    0,
  );
});
