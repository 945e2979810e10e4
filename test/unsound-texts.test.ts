import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import { idIn, type ListDocument, newProject } from './support/stage.ts';

/** The parts of an OpenAPI operation whose requests can contain texts. */
interface Described {
  readonly method: string;
  readonly path: string;
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
}

interface ParameterObject {
  readonly in: string;
  readonly name: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: readonly object[] }>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, ParameterObject>> };
}

const HALVES = ['\ud83d', 'x\ude00', '\ude00\ud83d'];
const ABSENT = 'f'.repeat(24);

// This runs only on PostgreSQL, where a text that passes the checks by mistake causes an error. SQLite would store it.
onOneSetup('PostgreSQL, two instances', 'texts that no database can hold', (setup) => {
  test('in any place of a path', async () => {
    const known = await knownIds(setup);
    for (const { method, path, inPath } of await describedBy(setup)) {
      for (const bad of inPath) {
        const place = fill(path, { ...known, [bad]: 'a%00b' });
        await expectRefusal(setup, method, place);
      }
    }
  });

  test('in any parameter of a query', async () => {
    let known = await knownIds(setup);
    let asked = 0;
    for (const { method, path, inQuery } of await describedBy(setup)) {
      for (const bad of method === 'GET' ? inQuery : []) {
        // Use a new project now and then, since measurements have a rate limit of a hundred requests per minute and
        // project.
        if (++asked % 40 === 0) known = await knownIds(setup);
        const place = fill(path, known);
        await expectRefusal(setup, method, `${place}?${bad}=a%00b`);
        await expectRefusal(setup, method, `${place}?${bad}=%00`);
      }
    }
    // Unknown query parameters are ignored.
    expectStatus(await setup.account.get('/groups?unknown=%00'), 200);
  });

  test('in any body', async () => {
    const known = await knownIds(setup);
    for (const { method, path } of await describedBy(setup)) {
      if (method === 'GET' || method === 'DELETE') continue;
      await expectRefusal(setup, method, fill(path, known), '{"name":"x\\u0000","list":["\\ud800"]}');
    }
  });

  test('are named, and nothing of them is stored', async () => {
    const project = await newProject(setup);
    const users = `${project}/databaseUsers`;
    const roles = [{ roleName: 'read', databaseName: 'harbour' }];
    const body = { databaseName: '$external', x509Type: 'MANAGED', roles };
    for (const half of [...HALVES, 'a\0b']) {
      const cases: [change: object, field: string][] = [
        [{ username: `CN=${half}` }, 'username'],
        [{ username: 'CN=x', description: half }, 'description'],
        [{ username: 'CN=x', labels: [{ key: 'k', value: half }] }, 'labels.0.value'],
      ];
      for (const [change, field] of cases) {
        const reply = await setup.owner.post(users, { ...body, ...change });
        const { errorCode, badRequestDetail } = expectStatus(reply, 400);
        assert.equal(errorCode, 'VALIDATION_ERROR');
        assert.partialDeepStrictEqual(badRequestDetail, { fields: [{ field }] });
      }
    }
    expectFault(await setup.owner.get(`${users}/admin/a%00b`), 400, 'INVALID_PATH_PARAMETER', ['username']);
    const whole = { ...body, username: 'CN=\u{1f6f6}\u0001\uffff' };
    expectStatus(await setup.owner.post(users, whole), 201);
    assert.equal(expectStatus<ListDocument>(await setup.owner.get(users), 200).totalCount, 1);
  });
});

async function describedBy(setup: Setup): Promise<readonly Described[]> {
  const reply = await setup.account.get('/api/service/openapi/2025-03-12.json');
  const { paths, components } = expectStatus<Document>(reply, 200);
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [] }]) => {
      const own = parameters.map((each) => resolved(each, components.parameters));
      const namesOf = (place: string) => own.filter((one) => one.in === place).map(({ name }) => name);
      return { method: method.toUpperCase(), path, inPath: namesOf('path'), inQuery: namesOf('query') };
    }),
  );
  const described = all.filter(({ path }) => path.startsWith('/api/service/v2'));
  assert.ok(described.length > 100, `${described.length} operations`);
  return described;
}

function resolved(
  parameter: { readonly $ref?: string } | ParameterObject,
  components: Readonly<Record<string, ParameterObject>> = {},
): ParameterObject {
  if ('in' in parameter) return parameter;
  const named = components[parameter.$ref?.split('/').at(-1) ?? ''];
  return named ?? assert.fail(`${JSON.stringify(parameter)} leads nowhere`);
}

async function knownIds(setup: Setup): Promise<Readonly<Record<string, string>>> {
  return { groupId: idIn(await newProject(setup)), orgId: setup.bootstrap.orgId };
}

function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ABSENT);
}

async function expectRefusal(setup: Setup, method: string, place: string, body = '{}'): Promise<void> {
  const reply: Reply = await setup.account.send(method, place, method === 'GET' ? undefined : body);
  assert.ok([400, 404].includes(reply.status), `${method} ${place}: ${reply.status} ${reply.text}`);
}
