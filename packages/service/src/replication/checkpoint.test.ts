import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Document, MongoClient, Timestamp } from 'mongodb';
import { Checkpoint, type CollectionCopy, type ReplicationState } from './checkpoint.ts';
import { CHECKPOINTS } from './names.ts';

let target: MongoClient;
const uri = engineAlone(() => target.close());
before(async () => {
  target = await MongoClient.connect(uri(), LONG_TIMEOUTS);
});
beforeEach(() => target.db(CHECKPOINTS).dropDatabase());

const ID = 'x';
const START: ReplicationState = {
  phase: 'copying',
  start: new Timestamp({ t: 7, i: 1 }),
  indexed: false,
};
const copyOf = (_id: string): CollectionCopy => ({ _id, options: {}, isView: false, copied: false });
const checkpointOf = (owner: string) => new Checkpoint(target, ID, owner);
const stored = async (): Promise<Document> => ({
  states: await target.db(CHECKPOINTS).collection('states').find().toArray(),
  copies: await target.db(CHECKPOINTS).collection('copies').find().sort({ _id: 1 }).toArray(),
});

test('after another owner has taken over, every write of the former owner fails', async () => {
  const [former, newer] = [checkpointOf('former'), checkpointOf('newer')];
  await former.take(1);
  await former.list(START, [copyOf('sea.charts')]);
  await newer.take(1);
  await newer.list(START, [copyOf('sea.depths')]);
  const before = await stored();
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    list: () => former.list(START, [copyOf('sea.charts')]),
    reach: () => former.reach({ indexed: true }),
    copied: () => former.copied('sea.depths', { $set: { copied: true } }),
    put: () => former.put(copyOf('sea.tides')),
    'put of a known collection': () => former.put(copyOf('sea.depths')),
    assertOwned: () => former.assertOwned(),
  };
  for (const [name, write] of Object.entries(writes)) {
    await assert.rejects(write, { name: 'Superseded' }, name);
    assert.deepEqual(await stored(), before, name);
  }
});

test('an attempt whose collections were not listed begins again, and knows what earlier ones created', async () => {
  await checkpointOf('first').take(1);
  await checkpointOf('first').list(START, [copyOf('sea.charts')]);
  await checkpointOf('second').take(2);
  const third = checkpointOf('third');
  assert.equal(await third.claim(2), undefined);
  await third.take(2);
  assert.deepEqual(await third.leftovers(), ['sea.charts']);
  await third.list(START, [copyOf('sea.depths')]);
  const { start } = (await checkpointOf('fourth').claim(2)) ?? {};
  assert.deepEqual([start, await third.leftovers()], [START.start, ['sea.depths']]);
  await assert.rejects(third.assertOwned(), { name: 'Superseded' });
});
