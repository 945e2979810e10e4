import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { errorBody, GROUP, getThing, operation, testApi } from './testing.ts';

const Current = Type.Object({ size: Type.Integer() });
const Old = Type.Object({ sizeText: Type.String() });

const changeShip = operation({
  id: 'changeShip',
  summary: 'Changes the ship.',
  tag: 'Ships',
  method: 'PATCH',
  path: '/groups/{groupId}/ship',
  access: 'Project Read Only',
  body: Current,
  reply: Current,
  status: 200,
  versions: {
    '2023-01-01': {
      body: Old,
      reply: Old,
      status: 202,
      access: 'Project Owner',
      read: (body: { sizeText: string }) => ({ size: Number(body.sizeText) }),
      write: (ship) => ({ sizeText: String(ship.size) }),
    },
    '2023-02-01': 'unavailable',
    '2024-08-05': 'same',
    '2025-03-12': 'same',
  },
  handler: async ({ body }) => ({ size: body.size + 1 }),
});

const of = (date: string) => `application/vnd.service.${date}+json`;
const V2 = `/api/service/v2/groups/${GROUP}/ship`;

async function service(t: Parameters<typeof testApi>[0], more = {}) {
  const { send } = await testApi(t, [changeShip, getThing], more);
  const ask = (
    accept: string | undefined,
    payload: object = { size: 1 },
    url = V2,
    authorization = 'Bearer owner',
  ) => send({ method: 'PATCH', url, payload, headers: { ...(accept ? { accept } : {}), authorization } });
  return { send, ask };
}

test('a date selects the newest version that is not later', async (t) => {
  const { ask } = await service(t);
  const answered = {
    '2025-03-12': '2025-03-12',
    '2025-02-13': '2024-08-05',
    '2025-02-19': '2024-08-05',
    '2024-08-06': '2024-08-05',
    '2024-08-05': '2024-08-05',
  };
  for (const [asked, version] of Object.entries(answered)) {
    const { statusCode, headers } = await ask(of(asked));
    assert.deepEqual([statusCode, headers['content-type']], [200, `${of(version)};charset=utf-8`], asked);
  }
});

test('each version has its own shape, status and role', async (t) => {
  const { ask } = await service(t);
  const old = await ask(of('2023-01-31'), { sizeText: '41' });
  assert.deepEqual(old.json(), { sizeText: '42' });
  assert.equal(old.statusCode, 202);
  assert.equal((await ask(of('2023-01-01'), { size: 1 })).json().errorCode, 'INVALID_ATTRIBUTE');
  assert.equal((await ask(of('2023-01-01'), {}, V2, 'Bearer reader')).json().errorCode, 'USER_UNAUTHORIZED');
  assert.equal((await ask(of('2025-03-12'), { size: 1 }, V2, 'Bearer reader')).statusCode, 200);
});

test('an invalid or future date, or one before the first version, is rejected', async (t) => {
  const { ask } = await service(t);
  for (const date of ['2022-12-31', '2025-03-14', '2999-01-01', '2024-02-30', 'preview', '1', '2024-8-5']) {
    const answer = await ask(of(date));
    assert.equal(answer.statusCode, 406, date);
    assert.deepEqual(
      answer.json(),
      errorBody(
        406,
        'INVALID_VERSION_DATE',
        [],
        'The resource version in the Accept header does not exist for this operation.',
        'Not Acceptable',
      ),
      date,
    );
  }
});

test('the newest version is the default, unless versions are required', async (t) => {
  const { ask } = await service(t);
  const strict = await service(t, { strictVersions: true });
  for (const accept of [undefined, '*/*', 'application/json', 'application/*', 'text/html, */*;q=0.1']) {
    const answer = await ask(accept);
    assert.equal(answer.headers['content-type'], `${of('2025-03-12')};charset=utf-8`, accept);
    assert.equal((await strict.ask(accept)).json().errorCode, 'INVALID_VERSION_DATE', accept);
  }
  assert.equal((await strict.ask(of('2025-03-12'))).statusCode, 200);
});

test('other media types are not acceptable', async (t) => {
  const { ask } = await service(t);
  for (const accept of [
    'text/html',
    'application/xml',
    'application/vnd.service.2025-03-12+csv',
    '*/*;q=0',
    'text/html;note="a, application/json, b"',
  ]) {
    const answer = await ask(accept);
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [406, 'UNEXPECTED_ERROR'], accept);
  }
});

test('of several types the preferred one is selected', async (t) => {
  const { ask } = await service(t);
  const accept = `application/json;q=0.5, ${of('2023-01-01')};q=0.6, ${of('2024-08-05')};q=0.9;charset=utf-8`;
  assert.equal((await ask(accept)).headers['content-type'], `${of('2024-08-05')};charset=utf-8`);
});

test('of several versions the preferred available one is selected', async (t) => {
  const { ask } = await service(t);
  const later = `${of('2024-08-05')};q=0.2`;
  for (const first of [of('2022-01-01'), of('2999-01-01'), of('preview'), of('2023-02-01')]) {
    const answer = await ask(`${first}, ${later}`);
    assert.equal(answer.headers['content-type'], `${of('2024-08-05')};charset=utf-8`, first);
  }
  const none = await ask(`${of('2022-01-01')}, ${of('2999-01-01')};q=0.2, */*;q=0.1`);
  assert.equal(none.json().errorCode, 'INVALID_VERSION_DATE');
  assert.equal((await ask(`${of('2022-01-01')}, ${of('2023-02-01')};q=0.2`)).statusCode, 501);
});

test('an unavailable version is reported as such', async (t) => {
  const { ask } = await service(t);
  const answer = await ask(of('2023-02-01'));
  assert.deepEqual([answer.statusCode, answer.json().parameters], [501, ['changeShip']]);
});

test('a deprecated version has Deprecation and Sunset headers, also on errors', async (t) => {
  const { ask } = await service(t);
  const stages = ({ headers }: { headers: Record<string, unknown> }) => [headers.deprecation, headers.sunset];
  const old = ['Wed, 1 Feb 2023 00:00:00 GMT', 'Sat, 1 Feb 2025 00:00:00 GMT'];
  assert.deepEqual(stages(await ask(of('2023-01-01'), { sizeText: '1' })), old);
  assert.deepEqual(stages(await ask(of('2023-01-01'), { size: 1 })), old);
  assert.deepEqual(stages(await ask(of('2024-08-05'))), [undefined, undefined], 'it has the newest shape');
  assert.deepEqual(stages(await ask(of('2025-03-12'))), [undefined, undefined]);
});

test('the legacy path returns the first shape as plain JSON, whatever the requested version', async (t) => {
  const { ask } = await service(t);
  const url = `/api/service/v1.0/groups/${GROUP}/ship`;
  for (const accept of [undefined, '*/*', 'application/json', of('2025-03-12')]) {
    const answer = await ask(accept, { sizeText: '1' }, url);
    assert.deepEqual(answer.json(), { sizeText: '2' });
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(answer.headers.deprecation, undefined);
  }
  assert.equal((await ask('text/html', { sizeText: '1' }, url)).statusCode, 406);
});

test('errors are plain JSON in every version', async (t) => {
  const { ask } = await service(t);
  assert.equal((await ask(of('2025-03-12'), {})).headers['content-type'], 'application/json');
});

test('versions stay available if service time is in the past', async (t) => {
  const { send, machine } = await testApi(t, [getThing]);
  machine.setBack(Date.UTC(2025, 2, 13) - Date.UTC(2024, 0, 1));
  const headers = { accept: of('2025-03-12') };
  assert.equal((await send({ url: `/api/service/v2/groups/${GROUP}/thing`, headers })).statusCode, 200);
});
