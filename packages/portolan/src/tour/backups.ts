import {
  awaitIdle,
  clusterPath,
  countDocuments,
  expect,
  expectStatus,
  type Journey,
  until,
} from './steps.ts';

/** Deletes data, and restores it from a snapshot. */

export async function takeSnapshot(journey: Journey): Promise<string> {
  const snapshots = `${clusterPath(journey)}/backup/snapshots`;
  const body = { description: 'before the storm', retentionInDays: 3 };
  const { id } = expectStatus(await journey.client.call('POST', snapshots, body), 200);
  const taken = await until(
    () => journey.client.call('GET', `${snapshots}/${id}`),
    (answer) => answer.body.status === 'completed',
    'completed',
  );
  journey.snapshotId = String(id);
  return `${taken.body.storageSizeBytes} bytes, retained until ${taken.body.expiresAt}`;
}

export async function restoreWhatWasDropped(journey: Journey): Promise<string> {
  const { client, groupId, snapshotId } = journey;
  const ports = journey.database?.db('harbour').collection('ports');
  expect(ports !== undefined, 'the driver is not connected');
  await ports.drop();
  const jobs = `${clusterPath(journey)}/backup/restoreJobs`;
  const body = {
    deliveryType: 'automated',
    snapshotId,
    targetClusterName: clusterPath(journey).split('/').at(-1),
    targetGroupId: groupId,
  };
  const { id } = expectStatus(await client.call('POST', jobs, body), 200);
  const ended = await until(
    () => client.call('GET', `${jobs}/${id}`),
    (answer) => answer.body.finishedAt !== undefined,
    'finishedAt',
  );
  expect(ended.body.failed === false, `the restore failed: ${JSON.stringify(ended.body)}`);
  await awaitIdle(journey);
  return `a collection was dropped; ${await countDocuments(journey)}`;
}
