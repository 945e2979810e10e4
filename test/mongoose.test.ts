import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import mongoose, { Schema } from 'mongoose';
import { engineAlone } from './support/engine-alone.ts';

/** Typical uses of mongoose, on a standalone engine (`npm run engine`). */
describe('mongoose on a standalone engine', () => {
  const connection = mongoose.createConnection();
  const uri = engineAlone(() => connection.close());

  const Port = connection.model(
    'Port',
    new Schema({ name: { type: String, required: true }, depth: Number }),
  );
  const Ship = connection.model(
    'Ship',
    new Schema(
      {
        name: { type: String, required: true, minlength: 3 },
        sails: { type: Number, min: 0 },
        home: { type: Schema.Types.ObjectId, ref: 'Port' },
        log: [{ day: Number, miles: Number }],
      },
      { timestamps: true, optimisticConcurrency: true },
    ),
  );

  before(async () => {
    await connection.openUri(uri(), { dbName: 'harbour' });
  });

  test('validates before it writes', async () => {
    await assert.rejects(Ship.create({ name: 'ab', sails: -1 }), { name: 'ValidationError' });
    assert.equal(await Ship.countDocuments(), 0);
  });

  test('keeps timestamps, follows references and changes documents in place', async () => {
    const home = await Port.create({ name: 'Visby', depth: 7 });
    const { _id } = await Ship.create({
      name: 'Anna',
      sails: 3,
      home: home._id,
      log: [{ day: 1, miles: 40 }],
    });
    const found = await Ship.findById(_id).populate<{ home: { name: string } }>('home').orFail();
    assert.equal(found.home.name, 'Visby');
    assert.ok(found.get('createdAt') instanceof Date);
    found.sails = 4;
    found.log.push({ day: 2, miles: 55 });
    await found.save();
    const next = await Ship.findOneAndUpdate(
      { name: 'Anna' },
      { $inc: { sails: 1 } },
      { returnDocument: 'after' },
    );
    assert.deepEqual([next?.sails, next?.log.length], [5, 2]);
  });

  test('rejects saving over a concurrent change', async () => {
    const { _id } = await Ship.create({ name: 'Berta', sails: 1 });
    const [one, other] = [await Ship.findById(_id).orFail(), await Ship.findById(_id).orFail()];
    one.sails = 2;
    await one.save();
    other.sails = 9;
    await assert.rejects(other.save(), { name: 'VersionError' });
  });

  test('aggregates over two collections', async () => {
    const port = await Port.create({ name: 'Kalmar' });
    await Ship.insertMany([
      { name: 'Clara', home: port._id, log: [{ day: 1, miles: 10 }] },
      {
        name: 'Doris',
        home: port,
        log: [
          { day: 1, miles: 15 },
          { day: 2, miles: 20 },
        ],
      },
    ]);
    const rows = await Ship.aggregate([
      { $match: { home: port._id } },
      { $unwind: '$log' },
      { $group: { _id: '$home', miles: { $sum: '$log.miles' }, ships: { $addToSet: '$name' } } },
      { $lookup: { from: 'ports', localField: '_id', foreignField: '_id', as: 'port' } },
      { $project: { _id: 0, miles: 1, port: { $first: '$port.name' }, ships: { $size: '$ships' } } },
    ]);
    assert.deepEqual(rows, [{ miles: 45, port: 'Kalmar', ships: 2 }]);
  });
});
