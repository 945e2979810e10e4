import { clusterPath, expect, expectStatus, type Journey, until } from './steps.ts';

/** Finds words although the documents contain them in another form, such as the plural. */
export async function searchForWords(journey: Journey): Promise<string> {
  const { client, database } = journey;
  expect(database !== undefined, 'the driver is not connected');
  const films = database.db('harbour').collection('films');
  await films.insertMany([
    { title: 'The ship that sailed away' },
    { title: 'Nobody in the harbour' },
    { title: 'Sailing home' },
  ]);
  const indexes = `${clusterPath(journey)}/search/indexes`;
  const body = {
    collectionName: 'films',
    database: 'harbour',
    name: 'words',
    definition: { analyzer: 'lib.english', mappings: { dynamic: true } },
  };
  const { indexID } = expectStatus(await client.call('POST', indexes, body), 201);
  await until(
    () => client.call('GET', `${indexes}/${indexID}`),
    (answer) => answer.body.status === 'READY',
    'READY',
  );
  const found = await films
    .aggregate([{ $search: { index: 'words', text: { query: 'sail ships', path: 'title' } } }])
    .toArray();
  expect(found.length === 2, `the search found ${found.length}, not 2`);
  return `"sail ships" found: ${found.map(({ title }) => title).join('; ')}`;
}
