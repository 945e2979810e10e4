/** Writes to `harbour.cargo` of a deployment for some seconds, at a fixed rate. Prints the number of writes. */
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const [uri = '', perSecond = '', lasting = ''] = process.argv.slice(2);
const TURN_MS = 10;
const client = new MongoClient(uri, { maxPoolSize: 32 });
await client.connect();
const cargo = client.db('harbour').collection<{ _id: number; text: string }>('cargo');
const start = performance.now();
let [begun, done, next] = [0, 0, 1e9];
const open = new Set<Promise<unknown>>();
while (performance.now() - start < Number(lasting) * 1000) {
  const due = Math.floor(((performance.now() - start) / 1000) * Number(perSecond)) - begun;
  if (due > 1 && open.size < 8) {
    begun += due;
    const documents = Array.from({ length: due / 2 }, () => ({ _id: next++, text: 'written meanwhile' }));
    const updates = Array.from({ length: due - documents.length }, (_, i) => ({
      updateOne: { filter: { _id: (begun + i) % 5_000 }, update: { $set: { text: `changed ${begun}` } } },
    }));
    const writes = Promise.all([cargo.insertMany(documents), cargo.bulkWrite(updates)]).then(() => {
      done += due;
      open.delete(writes);
    });
    open.add(writes);
  }
  await setTimeout(TURN_MS);
}
await Promise.all(open);
console.log(done);
await client.close();
