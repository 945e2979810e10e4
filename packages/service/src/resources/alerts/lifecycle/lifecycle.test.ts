import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listEvents, system } from '../../../events/index.ts';
import { toggleConfiguration } from '../configurations/changes.ts';
import { findConfiguration } from '../configurations/rows.ts';
import { pageOfNotifications } from '../delivery/rows.ts';
import { hook, open } from './testing.ts';
import { play, randomSpans } from './testing-model.ts';

test('over months of random conditions, the notifications equal those of the model', async (t) => {
  const targets = [[hook('a', 7, 240), hook('b', 120, 1440)], [hook('c', 0, 1440)]];
  const { due, minutes } = await play(t, targets, randomSpans(7, 25, 4));
  assert.ok(minutes > 24 * 60, `only ${minutes} minutes`);
  assert.ok(due.some(([, , reason]) => reason === 'nobody'));
});

test('a target has one live alert, which is tracked until its delay has passed', async (t) => {
  const { told, moveTo, configure, report, alerts } = await open(t);
  await configure([hook('a', 10, 60)]);
  const statuses = async () => (await alerts()).map(({ status }) => status);
  await report(true);
  await report(true);
  assert.deepEqual(await statuses(), ['TRACKING']);
  await moveTo(5);
  await report(false);
  assert.deepEqual(await statuses(), ['CLOSED']);
  await moveTo(20);
  await report(true);
  await moveTo(31);
  assert.deepEqual(await statuses(), ['CLOSED', 'OPEN']);
  assert.deepEqual(
    told,
    [[30, 'a', 'open']].map(([, ...rest]) => [31, ...rest]),
  );
});

test('disabling a configuration cancels its alerts and sends cancellations', async (t) => {
  const { store, told, groupId, moveTo, configure, report, alerts } = await open(t);
  const { id } = await configure([hook('a', 0, 60)]);
  await report(true);
  await moveTo(1);
  await store.write(async (tx) => {
    const configuration = await findConfiguration(tx, groupId, id);
    assert.ok(configuration);
    await toggleConfiguration(tx, configuration, false, system);
  });
  await moveTo(200);
  await report(true);
  assert.deepEqual(
    (await alerts()).map(({ status }) => status),
    ['CLOSED'],
  );
  assert.deepEqual(
    told.map(([, who, reason]) => [who, reason]),
    [
      ['a', 'open'],
      ['a', 'cancel'],
    ],
  );
});

test('a jump of service time over several intervals causes one notification and keeps the schedule', async (t) => {
  const { told, moveTo, configure, report } = await open(t);
  await configure([hook('a', 0, 60)]);
  await report(true);
  await moveTo(1);
  await moveTo(1000);
  await moveTo(1020);
  assert.deepEqual(told, [
    [1, 'a', 'open'],
    [1000, 'a', 'update'],
    [1020, 'a', 'update'],
  ]);
});

test('a failed delivery is tried three times, some ten seconds apart, and recorded as failed', async (t) => {
  const { store, groupId, told, moveTo, configure, report, answer, worker, alerts } = await open(t);
  const { id } = await configure([hook('a', 0, 60)]);
  answer(503);
  await report(true);
  await worker.idle();
  await moveTo(0.08);
  assert.equal(told.length, 1, 'no second attempt after five seconds');
  await moveTo(0.2);
  await moveTo(0.36);
  assert.equal(told.length, 2, 'no third attempt after ten more seconds');
  answer(200);
  await moveTo(0.6);
  await moveTo(60);
  assert.deepEqual(
    told.map(([, , reason]) => reason),
    ['open', 'open', 'open', 'update'],
  );
  answer(503);
  await report(false);
  for (const minute of [60.1, 60.4, 60.9, 65]) await moveTo(minute);
  assert.deepEqual(
    told.slice(4).map(([, , reason]) => reason),
    ['close', 'close', 'close'],
  );
  const page = { pageNum: 1, itemsPerPage: 10, includeCount: false };
  const { rows } = await store.read((tx) => pageOfNotifications(tx, { groupId }, page));
  assert.deepEqual(
    rows.map(({ reason, delivery: { outcome, problem } }) => [reason, outcome, problem]),
    [
      ['close', 'FAILED', 'the response has status 503'],
      ['update', 'SENT', undefined],
      ['open', 'SENT', undefined],
    ],
  );
  const [alert] = await alerts();
  const events = await store.read((tx) =>
    listEvents(tx, { groupId }, { ...page, types: ['ALERT_NOTIFICATION_FAILED'] }),
  );
  assert.deepEqual(
    events.results.map(({ actor, details }) => ({ actor, details })),
    [
      {
        actor: system,
        details: {
          alertId: alert?.id,
          alertConfigId: id,
          reason: 'WEBHOOK: the response has status 503',
        },
      },
    ],
  );
});
