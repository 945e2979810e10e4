import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import mongoose, { Schema } from 'mongoose';
import { engineAlone } from './support/engine-alone.ts';

/** Models of mongoose beyond simple reads and writes, on a standalone engine (`npm run engine`). */
describe('models of mongoose on a standalone engine', () => {
  const connection = mongoose.createConnection();
  const uri = engineAlone(() => connection.close());

  before(async () => {
    await connection.openUri(uri(), { dbName: 'harbour', autoIndex: false });
  });

  documents(connection);
  collections(connection);
});

function documents(connection: mongoose.Connection): void {
  test('plugins and middleware act on documents and queries', async () => {
    const seen: string[] = [];
    const softDelete = (schema: Schema) => {
      schema.add({ deletedAt: Date });
      schema.pre(/^find/, function () {
        (this as mongoose.Query<unknown, unknown>).where({ deletedAt: null });
      });
      schema.method('softDelete', function () {
        return this.set('deletedAt', new Date()).save();
      });
    };
    const schema = new Schema({ name: { type: String, trim: true, lowercase: true }, slug: String });
    schema.plugin(softDelete);
    schema.pre('save', function () {
      this.set('slug', `${this.name}-slug`);
      seen.push('before save');
    });
    schema.post('save', () => void seen.push('after save'));
    schema.post('deleteMany', () => void seen.push('after deleteMany'));
    schema.static('named', function (name: string) {
      return this.findOne({ name });
    });
    schema.virtual('shout').get(function () {
      return this.name?.toUpperCase();
    });
    const Buoy = connection.model('Buoy', schema);
    const one = await Buoy.create({ name: '  North ' });
    assert.deepEqual([one.name, one.slug, one.get('shout')], ['north', 'north-slug', 'NORTH']);
    assert.equal(await Buoy.find().countDocuments(), 1);
    await (one as unknown as { softDelete(): Promise<unknown> }).softDelete();
    assert.deepEqual(await Buoy.find(), []);
    assert.equal(await Buoy.collection.countDocuments(), 1);
    await Buoy.deleteMany({});
    assert.deepEqual(seen, ['before save', 'after save', 'before save', 'after save', 'after deleteMany']);
  });

  test('validators of every kind reject, also in updates', async () => {
    const Crew = connection.model(
      'Crew',
      new Schema({
        name: { type: String, required: true, match: /^[A-Z]/, unique: true },
        rank: { type: String, enum: ['mate', 'captain'], default: 'mate' },
        age: { type: Number, min: 16, validate: { validator: Number.isInteger, message: 'whole years' } },
        mail: { type: String, validate: async (text: string) => text.includes('@') },
      }),
    );
    await Crew.syncIndexes();
    const bad = new Crew({ name: 'ann', rank: 'cook', age: 3.5, mail: 'nowhere' });
    const failed = await bad.validate().then(
      () => [],
      ({ errors }) => Object.keys(errors).sort(),
    );
    assert.deepEqual(failed, ['age', 'mail', 'name', 'rank']);
    const ann = await Crew.create({ name: 'Ann', age: 20 });
    assert.equal(ann.rank, 'mate');
    const update = Crew.updateOne({ name: 'Ann' }, { age: 3 }, { runValidators: true });
    await assert.rejects(update, { name: 'ValidationError' });
    await assert.rejects(Crew.create({ name: 'Ann' }), { code: 11000 });
  });

  test('references are followed through arrays, virtually and in depth', async () => {
    const port = new Schema({ name: String });
    const shipSchema = new Schema(
      { name: String, visited: [{ type: Schema.Types.ObjectId, ref: 'Haven' }], captain: String },
      { toObject: { virtuals: true } },
    );
    shipSchema.virtual('legs', { ref: 'Leg', localField: '_id', foreignField: 'ship', count: false });
    shipSchema.virtual('legCount', { ref: 'Leg', localField: '_id', foreignField: 'ship', count: true });
    const Haven = connection.model('Haven', port);
    const Vessel = connection.model('Vessel', shipSchema);
    const Leg = connection.model(
      'Leg',
      new Schema({ ship: { type: Schema.Types.ObjectId, ref: 'Vessel' }, miles: Number }),
    );
    const [visby, kalmar] = await Haven.insertMany([{ name: 'Visby' }, { name: 'Kalmar' }]);
    assert.ok(visby && kalmar);
    const ship = await Vessel.create({ name: 'Anna', visited: [kalmar._id, visby._id] });
    await Leg.insertMany([5, 30, 20].map((miles) => ({ ship: ship._id, miles })));
    const found = await Vessel.findById(ship._id)
      .populate<{ visited: { name: string }[] }>('visited', 'name')
      .populate<{ legs: { miles: number }[] }>({
        path: 'legs',
        match: { miles: { $gt: 10 } },
        options: { sort: { miles: -1 }, limit: 2 },
      })
      .populate<{ legCount: number }>('legCount')
      .orFail();
    assert.deepEqual(
      found.visited.map(({ name }) => name),
      ['Kalmar', 'Visby'],
    );
    assert.deepEqual(
      found.legs.map(({ miles }) => miles),
      [30, 20],
    );
    assert.equal(found.legCount, 3);
    const leg = await Leg.findOne({ miles: 5 })
      .populate<{ ship: { visited: { name: string }[] } }>({ path: 'ship', populate: 'visited' })
      .orFail();
    assert.equal(leg.ship.visited[1]?.name, 'Visby');
  });
}

function collections(connection: mongoose.Connection): void {
  test('discriminators keep several kinds in one collection', async () => {
    const Event = connection.model(
      'Event',
      new Schema(
        { at: Date },
        { discriminatorKey: 'kind', timestamps: { createdAt: 'made', updatedAt: false } },
      ),
    );
    const Arrival = Event.discriminator('Arrival', new Schema({ port: String }));
    const Storm = Event.discriminator('Storm', new Schema({ force: Number }));
    await Arrival.create({ port: 'Visby' });
    await Storm.create([{ force: 9 }, { force: 11 }]);
    assert.deepEqual([await Event.countDocuments(), await Storm.countDocuments()], [3, 2]);
    const worst = await Event.findOne({ kind: 'Storm' }).sort({ force: -1 });
    assert.ok(worst instanceof Storm);
    assert.equal(worst.force, 11);
    const rows = await Storm.aggregate([{ $group: { _id: '$kind', force: { $avg: '$force' } } }]);
    assert.deepEqual(rows, [{ _id: 'Storm', force: 10 }]);
    assert.ok(worst.get('made') instanceof Date);
  });

  test('indexes follow the schema', async () => {
    const before = connection.model('Log', new Schema({ a: { type: Number, index: true } }), 'logs');
    assert.deepEqual(await before.syncIndexes(), []);
    connection.deleteModel('Log');
    const schema = new Schema({ a: Number, b: { type: String, unique: true }, text: String, at: Date });
    schema.index({ a: 1, b: -1 }, { partialFilterExpression: { a: { $gt: 5 } } });
    schema.index({ text: 'text' });
    schema.index({ at: 1 }, { expires: '1h' });
    const Log = connection.model('Log', schema, 'logs');
    assert.deepEqual((await Log.diffIndexes()).toDrop, ['a_1']);
    assert.deepEqual(await Log.syncIndexes(), ['a_1']);
    const indexes = await Log.listIndexes();
    assert.deepEqual(indexes.map(({ name }) => name).sort(), [
      '_id_',
      'a_1_b_-1',
      'at_1',
      'b_1',
      'text_text',
    ]);
    assert.equal(indexes.find(({ name }) => name === 'at_1')?.expireAfterSeconds, 3600);
    assert.deepEqual(await Log.syncIndexes(), []);
  });

  test('transactions are atomic, and reset documents that were not saved', async () => {
    const Purse = connection.model('Purse', new Schema({ coins: { type: Number, min: 0 } }));
    const [rich, poor] = await Purse.create([{ coins: 10 }, { coins: 0 }]);
    assert.ok(rich && poor);
    const move = (coins: number) =>
      connection.transaction(async (session) => {
        await rich.set('coins', (rich.coins ?? 0) - coins).save({ session });
        await poor.set('coins', (poor.coins ?? 0) + coins).save({ session });
        if (coins > 5) throw new Error('too much');
      });
    await move(4);
    assert.equal(rich.isModified('coins'), false);
    await assert.rejects(move(6), { message: 'too much' });
    assert.equal(rich.isModified('coins'), true);
    const coins = (await Purse.find().sort({ coins: 1 })).map((purse) => purse.coins);
    assert.deepEqual(coins, [4, 6]);
    const session = await connection.startSession();
    await session.withTransaction(async () => {
      await Purse.updateMany({}, { $inc: { coins: 1 } }, { session });
      assert.equal(await Purse.findOne({ coins: 7 }), null);
    });
    await session.endSession();
    assert.equal(await Purse.countDocuments({ coins: { $in: [5, 7] } }), 2);
  });

  test('bulk writes, cursors, maps, buffers, decimals and change streams', async () => {
    const schema = new Schema({
      n: Number,
      tags: { type: Map, of: String },
      raw: Buffer,
      price: Schema.Types.Decimal128,
      big: BigInt,
      inner: new Schema({ x: { type: Number, default: 1 } }, { _id: false }),
    });
    const Thing = connection.model('Thing', schema);
    await Thing.createCollection();
    // Begin at this time, since the stream may be opened only after the first write.
    const { operationTime } = await connection.getClient().db('admin').command({ ping: 1 });
    const stream = Thing.watch([], { startAtOperationTime: operationTime });
    const next = stream.next() as Promise<{ operationType: string; fullDocument: { n: number } }>;
    await Thing.bulkWrite([
      { insertOne: { document: { n: 1, tags: new Map([['a', 'b']]), inner: {} } } },
      { updateOne: { filter: { n: 2 }, update: { $set: { big: 2n ** 60n } }, upsert: true } },
      { updateMany: { filter: {}, update: { price: '1.50', raw: Buffer.from('xy') } } },
    ]);
    const event = await next;
    assert.deepEqual([event.operationType, event.fullDocument.n], ['insert', 1]);
    await stream.close();
    const seen: unknown[] = [];
    for await (const one of Thing.find().sort({ n: 1 }).cursor({ batchSize: 1 })) {
      seen.push([one.n, one.tags?.get('a'), one.raw?.toString(), String(one.price), one.big, one.inner?.x]);
    }
    assert.deepEqual(seen, [
      [1, 'b', 'xy', '1.50', undefined, 1],
      [2, undefined, 'xy', '1.50', 2n ** 60n, undefined],
    ]);
    const lean = await Thing.findOne({ n: 1 }).select('tags').lean();
    assert.deepEqual(lean?.tags, { a: 'b' });
  });
}
