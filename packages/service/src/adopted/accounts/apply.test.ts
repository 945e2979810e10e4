import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AccessSpec } from '@portolan/engine/interface/engine';
import { systemRandom } from '@portolan/foundation/random';
import { ADMINISTRATOR, type OtherServer, otherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { type Document, MongoClient } from 'mongodb';
import { applyAccounts } from './apply.ts';
import { type AccountBook, type AccountName, type AccountRecord, keyOf, mergedRecord } from './book.ts';

const scope = scopeOf({ after });
let server: OtherServer;
let client: MongoClient;
before(async () => {
  server = await otherServer(scope);
  client = new MongoClient(server.uri);
});
after(() => client.close());

/** An `AccountBook` in memory that fails before or after one of its changes, as if the service had ended. */
class BreakingBook implements AccountBook {
  readonly records = new Map<string, AccountRecord>();
  changes = 0;
  breakAt = Number.POSITIVE_INFINITY;

  async of() {
    return [...this.records.values()];
  }

  async save(_: string, record: AccountRecord) {
    const before = this.records.get(keyOf(record));
    const saved = mergedRecord(before, record);
    this.#change(() => this.records.set(keyOf(record), saved));
    return { before, saved };
  }

  async remove(_: string, account: AccountName) {
    this.#change(() => this.records.delete(keyOf(account)));
  }

  /** Even numbers fail before the change, odd ones after it. */
  #change(change: () => void): void {
    if (this.breakAt === this.changes++) throw new Error('the service ends');
    change();
    if (this.breakAt === this.changes++) throw new Error('the service ends');
  }
}

const scram = { sha256: { iterations: 1, salt: '', storedKey: '', serverKey: '' } };
const user = (username: string, role: string, version: string) => ({
  ...{ username, database: 'admin', scram, password: { text: `${version} of the sea`, version } },
  roles: [
    { role, database: 'admin' },
    { role: 'read', database: 'sea', collection: `charts of ${version}` },
  ],
});
const role = (name: string, actions: readonly string[]) => ({
  ...{ role: name, database: 'admin', roles: [] },
  privileges: [{ actions, resource: { db: 'harbour', collection: '' } }],
});

/** The users and roles of a project after each of its changes. */
const wanted: readonly AccessSpec[] = [
  {
    ...{ revision: 1, addresses: [] },
    users: [user('pilot', 'crane', 'first'), user('mate', 'crane', 'first')],
    customRoles: [role('crane', ['find'])],
  },
  {
    ...{ revision: 2, addresses: [] },
    users: [user('pilot', 'hoist', 'second')],
    customRoles: [role('crane', ['find', 'insert']), role('hoist', ['update'])],
  },
  { revision: 3, addresses: [], users: [], customRoles: [] },
];

async function accounts(): Promise<Document> {
  const { users } = await client.db('admin').command({ usersInfo: 1 });
  const { roles } = await client.db('admin').command({ rolesInfo: 1, showPrivileges: true });
  return {
    users: users
      .filter((one: Document) => one.user !== ADMINISTRATOR.user && one.customData?.portolan !== undefined)
      .map(({ user: name, roles: granted }: Document) => [name, granted])
      .toSorted(),
    roles: roles.map(({ role: name, privileges }: Document) => [name, privileges]).toSorted(),
  };
}

/**
 * Applies each element of `wanted` until that succeeds. Returns the accounts after each, and the number of changes to
 * the book.
 */
async function play(breakAt: number) {
  const book = new BreakingBook();
  book.breakAt = breakAt;
  const parts = { deploymentId: 'x', client, book, random: systemRandom() };
  const seen: Document[] = [];
  let failures = 0;
  for (const access of wanted) {
    for (;;) {
      try {
        await applyAccounts(parts, access);
        break;
      } catch (error) {
        assert.equal((error as Error).message, 'the service ends');
        failures++;
      }
    }
    seen.push(await accounts());
    assert.deepEqual(
      (await book.of()).filter(({ problem, state }) => problem || state !== 'MADE'),
      [],
    );
  }
  return { seen, failures, changes: book.changes, left: book.records.size };
}

test('accounts are the same whenever the service ends in between', async () => {
  const whole = await play(Number.POSITIVE_INFINITY);
  assert.deepEqual([whole.failures, whole.left, whole.seen[2]], [0, 0, { users: [], roles: [] }]);
  assert.ok(whole.changes > 20);
  for (let at = 0; at < whole.changes; at++) {
    const { seen, failures, left } = await play(at);
    assert.deepEqual([seen, left], [whole.seen, 0], `after an end at change ${at}`);
    assert.equal(failures, 1);
  }
});

test('a changed password that the service does not know is reported', async () => {
  const book = new BreakingBook();
  const parts = { deploymentId: 'x', client, book, random: systemRandom() };
  const nothing = { revision: 3, addresses: [], users: [], customRoles: [] };
  const made = {
    ...nothing,
    users: [user('cook', 'crane', 'first')],
    customRoles: [role('crane', ['find'])],
  };
  await applyAccounts(parts, made);
  const { password, ...changed } = user('cook', 'crane', 'second');
  assert.ok(password);
  await applyAccounts(parts, { ...made, users: [changed] });
  const problems = (await book.of()).flatMap(({ name, problem }) => (problem ? [name, problem] : []));
  assert.equal(problems[0], 'cook');
  assert.match(problems[1] ?? '', /password/);
  await applyAccounts(parts, made);
  assert.ok((await book.of()).every(({ problem }) => problem === undefined));
  await applyAccounts(parts, nothing);
  assert.equal(book.records.size, 0);
});

test('accounts that another instance creates at the same time belong to the service', async () => {
  const book = new BreakingBook();
  const parts = { deploymentId: 'x', client, book, random: systemRandom() };
  const access = wanted[0];
  assert.ok(access);
  /** Another instance applies everything after this one has read, and before it writes. */
  let isApplied = false;
  const late: AccountBook = {
    of: () => book.of(),
    remove: (...given) => book.remove(...given),
    async save(...given) {
      if (!isApplied) {
        isApplied = true;
        await applyAccounts(parts, access);
      }
      return book.save(...given);
    },
  };
  await applyAccounts({ ...parts, book: late }, access);
  await applyAccounts(parts, access);
  const left = (await book.of()).filter(({ problem, state }) => problem !== undefined || state !== 'MADE');
  assert.deepEqual(left, []);
  await applyAccounts(parts, { revision: 3, addresses: [], users: [], customRoles: [] });
  assert.deepEqual([book.records.size, await accounts()], [0, { users: [], roles: [] }]);
});
