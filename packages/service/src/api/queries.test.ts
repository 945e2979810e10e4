import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Choice, DateTime } from './fields.ts';
import { errorBody, GROUP, operation, testApi } from './testing.ts';

const url = `/api/service/v2/groups/${GROUP}/log`;

const readLog = operation({
  id: 'readLog',
  summary: 'Answers what it was asked.',
  tag: 'Logs',
  method: 'GET',
  path: '/groups/{groupId}/log',
  access: 'Project Read Only',
  query: Type.Object({
    deep: Type.Optional(Type.Boolean({ default: false })),
    host: Type.Optional(Type.String({ minLength: 2 })),
    kind: Type.Optional(Type.Array(Type.String())),
    level: Type.Optional(Choice(['INFO', 'ERROR'])),
    lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 20000, default: 20000 })),
    minDate: Type.Optional(DateTime()),
    ratio: Type.Optional(Type.Number()),
    start: Type.String(),
  }),
  reply: Type.Record(Type.String(), Type.Unknown()),
  status: 200,
  handler: async ({ query }) => query,
});

test('strings are converted as in the schema, and defaults fill absent parameters', async (t) => {
  const { send } = await testApi(t, [readLog]);
  const read = async (query: string) => (await send({ url: `${url}?${query}` })).json();
  assert.deepEqual(await read('start=now'), { deep: false, lines: 20000, start: 'now' });
  assert.deepEqual(
    await read('start=5&deep=true&lines=0&ratio=-1.5&level=ERROR&kind=a&minDate=2024-08-05T09:30:00%2B02:00'),
    {
      deep: true,
      kind: ['a'],
      level: 'ERROR',
      lines: 0,
      minDate: '2024-08-05T07:30:00Z',
      ratio: -1.5,
      start: '5',
    },
  );
  assert.deepEqual((await read('start=x&kind=b&kind=a')).kind, ['b', 'a']);
});

test('an unknown parameter is ignored', async (t) => {
  const { send } = await testApi(t, [readLog]);
  const answer = await send({ url: `${url}?start=x&unknown=1&itemsPerPage=0&pageNum=zero` });
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { deep: false, lines: 20000, start: 'x' });
});

test('an invalid value is reported by parameter', async (t) => {
  const { send } = await testApi(t, [readLog]);
  const bad = {
    deep: ['yes', '1', '', 'TRUE'],
    envelope: ['1', ''],
    host: ['a'],
    level: ['DEBUG', ''],
    lines: ['-1', '20001', '1.5', 'many', '', '0x10', ' 5', '1e3'],
    pretty: ['yes'],
    ratio: ['half', '1e3'],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const answer = await send({ url: `${url}?start=x&${name}=${encodeURIComponent(value)}` });
      assert.deepEqual(
        answer.json(),
        errorBody(
          400,
          'INVALID_QUERY_PARAMETER',
          [name],
          `The query parameter ${name} has an invalid value.`,
          'Bad Request',
          name,
        ),
        `${name}=${value}`,
      );
    }
  }
});

test('a repeated parameter is rejected unless it is a list', async (t) => {
  const { send } = await testApi(t, [readLog]);
  for (const name of ['host', 'lines', 'deep', 'pretty']) {
    const answer = (await send({ url: `${url}?start=x&${name}=true&${name}=true` })).json();
    assert.deepEqual([answer.errorCode, answer.parameters], ['INVALID_QUERY_PARAMETER', [name]]);
  }
});

test('an invalid date and a missing required parameter have errors of their own', async (t) => {
  const { send } = await testApi(t, [readLog]);
  const date = (await send({ url: `${url}?start=x&minDate=soon` })).json();
  assert.deepEqual([date.error, date.errorCode, date.parameters], [400, 'INVALID_DATE_FORMAT', ['soon']]);
  assert.equal(date.badRequestDetail.fields[0].field, 'minDate');
  const absent = (await send({ url })).json();
  assert.deepEqual(
    [absent.error, absent.errorCode, absent.parameters],
    [400, 'MISSING_QUERY_PARAMETER', ['start']],
  );
});
