import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readLinkSettings } from './settings.ts';

const token = Buffer.from(JSON.stringify({ url: 'https://192.0.2.1', id: 'i', secret: 's' })).toString(
  'base64url',
);
const read = (...sources: readonly string[]) =>
  readLinkSettings(['--token', token, ...sources.flatMap((source) => ['--source', source])]).sources;

suite('sources of a migration host', () => {
  test('are labelled by their names, or their hosts', () => {
    const uris = [
      'mongodb://reader:secret@db1,db2:27018/?replicaSet=rs0',
      'mongodb+srv://u:p@db.example.org',
    ];
    assert.deepEqual(read(`shop=${uris[0]}`, uris[0] ?? '', uris[1] ?? ''), [
      { name: 'shop', uri: uris[0], label: 'shop' },
      { name: undefined, uri: uris[0], label: 'db1:27017,db2:27018' },
      { name: undefined, uri: uris[1], label: 'db.example.org' },
    ]);
  });

  const good = 'mongodb://db1';
  for (const [what, sources, message] of [
    ['a host without a scheme', [good, 'secret@db2'], /^--source number 2 is not a connection string/],
    [
      'a text that is not a connection string',
      ['shop=postgres://secret@db2'],
      /^--source shop is not a connection string/,
    ],
    ['a service', ['shop=https://192.0.2.1'], /^--source shop is the address of a service, .* mongodb:\/\//],
    ['options that do not exist', [good, 'mongodb://db2/?foo=1'], /^--source number 2 .* option foo is not/],
    [
      'no host',
      ['shop=mongodb://reader:secret'],
      /^--source shop cannot be read: Unable to parse … with URL$/,
    ],
    ['a password with a slash', ['mongodb://reader:se/cret@db1'], /number 1 .* unescaped characters$/],
    ['a repeated name', [`shop=${good}`, 'shop=mongodb://db2'], /^--source names shop more than once$/],
  ] as const)
    test(`${what} is refused by name`, () => {
      assert.throws(
        () => read(...sources),
        ({ message: told }: Error) => message.test(told) && !/se\/?cret/.test(told),
      );
    });
});
