import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AccessSpec } from '@portolan/engine/interface/engine';
import { systemRandom } from '@portolan/foundation/random';
import { ADMINISTRATOR, connectedServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import type { Document, MongoClient } from 'mongodb';
import { applyAccounts } from './apply.ts';
import {
  type AccountBook,
  type AccountRecord,
  type AccountRun,
  keyOf,
  mergedRecord,
  Outdated,
} from './book.ts';

const scope = scopeOf({ after });
let client: MongoClient;
before(async () => {
  ({ client } = await connectedServer(scope));
});

/** An `AccountBook` in memory that fails before or after one of its changes, as if the service had ended. */
class BreakingBook implements AccountBook {
  readonly records = new Map<string, AccountRecord>();
  revision = 0;
  changes = 0;
  breakAt = Number.POSITIVE_INFINITY;

  async of() {
    return [...this.records.values()];
  }

  async begin(run: AccountRun) {
    this.#check(run);
    this.revision = run.revision;
    return this.of();
  }

  async save(run: AccountRun, record: AccountRecord) {
    this.#check(run);
    const saved = mergedRecord(this.records.get(keyOf(record)), record);
    this.#change(() => this.records.set(keyOf(record), saved));
    return saved;
  }

  async remove(run: AccountRun, record: AccountRecord) {
    this.#check(run);
    this.#change(() => this.records.delete(keyOf(record)));
  }

  #check({ revision }: AccountRun): void {
    if (revision < this.revision) throw new Outdated();
  }

  /** With an even `breakAt`, fails before the change; with an odd one, after the change. */
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

const isNoMark = ({ resource }: Document) => resource.db !== 'portolan';

async function accounts(): Promise<Document> {
  const { users } = await client.db('admin').command({ usersInfo: 1 });
  const { roles } = await client.db('admin').command({ rolesInfo: 1, showPrivileges: true });
  return {
    users: users
      .filter((one: Document) => one.user !== ADMINISTRATOR.user && one.customData?.portolan !== undefined)
      .map(({ user: name, roles: granted }: Document) => [name, granted])
      .toSorted(),
    roles: roles
      .map(({ role: name, privileges }: Document) => [name, privileges.filter(isNoMark)])
      .toSorted(),
  };
}

/**
 * Applies the elements of `wanted` in order, and repeats each until it succeeds. Returns the accounts on the server
 * after each element, and the number of changes to the book.
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
  const nothing = { revision: 1, addresses: [], users: [], customRoles: [] };
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
  /**
   * The second instance applies everything after the first instance has read, and before the first instance writes.
   */
  let isApplied = false;
  const late: AccountBook = {
    of: () => book.of(),
    begin: (run) => book.begin(run),
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

const [first, second, nothing] = wanted as readonly [AccessSpec, AccessSpec, AccessSpec];
const newParts = () => ({ deploymentId: 'x', client, book: new BreakingBook(), random: systemRandom() });

test('a role of others with the contents that the service wants stays a role of others', async () => {
  const parts = newParts();
  const [crane] = first.customRoles ?? [];
  assert.ok(crane);
  // The service ends after it has stored that it may have created the role, and before it creates the role.
  parts.book.breakAt = 1;
  await assert.rejects(applyAccounts(parts, { ...first, users: [] }), /the service ends/);
  await client.db('admin').command({ createRole: 'crane', privileges: crane.privileges, roles: [] });
  const before = await accounts();
  await applyAccounts(parts, { ...first, users: [] });
  assert.match((await parts.book.of())[0]?.problem ?? '', /another client has created a role with this name/);
  await applyAccounts(parts, nothing);
  assert.deepEqual([parts.book.records.size, await accounts()], [0, before]);
  await client.db('admin').command({ dropRole: 'crane' });
});

test('roles that others create while several instances create them stay roles of others', async () => {
  const parts = newParts();
  const [crane] = first.customRoles ?? [];
  assert.ok(crane);
  const access = { ...first, users: [] };
  let isCreated = false;
  const create = () =>
    client.db('admin').command({ createRole: 'crane', privileges: crane.privileges, roles: [] });
  /**
   * Two instances apply the same role. When the first of them has stored its record, another client creates the role,
   * and then the second instance applies the role.
   */
  const late: AccountBook = {
    ...{ of: () => parts.book.of(), begin: (run) => parts.book.begin(run) },
    remove: (...given) => parts.book.remove(...given),
    async save(...given) {
      const saved = await parts.book.save(...given);
      if (!isCreated) {
        isCreated = true;
        await create();
        await applyAccounts(parts, access);
      }
      return saved;
    },
  };
  await applyAccounts({ ...parts, book: late }, access);
  await applyAccounts(parts, access);
  const [record] = await parts.book.of();
  assert.match(record?.problem ?? '', /another client has created a role with this name/);
  await applyAccounts(parts, nothing);
  const { roles } = await client.db('admin').command({ rolesInfo: 'crane' });
  assert.equal(roles.length, 1);
  await client.db('admin').command({ dropRole: 'crane' });
});

test('a change that is taken back after the service has ended is taken back on the servers', async () => {
  const parts = newParts();
  await applyAccounts(parts, first);
  const before = await accounts();
  const [crane, hoist] = second.customRoles ?? [];
  assert.ok(crane && hoist);
  // The service ends after it has changed the role, and before it records the change.
  parts.book.changes = 0;
  parts.book.breakAt = 2;
  await assert.rejects(applyAccounts(parts, { ...first, customRoles: [crane] }), /the service ends/);
  assert.notDeepEqual(await accounts(), before);
  await applyAccounts(parts, first);
  assert.deepEqual(await accounts(), before);
  await applyAccounts(parts, nothing);
});

test('a run of an older revision changes nothing after a newer one has begun', async () => {
  for (let at = 0; ; at++) {
    const parts = newParts();
    await applyAccounts(parts, { ...nothing, revision: 1 });
    let seen: Document | undefined;
    let calls = 0;
    /**
     * Another instance applies the newer revision before call number `at` of the run that applies the older revision.
     */
    const overtake = async () => {
      if (calls++ !== at) return;
      await applyAccounts(parts, second);
      seen = await accounts();
    };
    const around = async <T>(call: () => Promise<T>): Promise<T> => {
      await overtake();
      return call();
    };
    const slow: AccountBook = {
      of: () => parts.book.of(),
      begin: (run) => around(() => parts.book.begin(run)),
      save: (...given) => around(() => parts.book.save(...given)),
      remove: (...given) => around(() => parts.book.remove(...given)),
    };
    const older = applyAccounts({ ...parts, book: slow }, first);
    const isOutdated = await older.then(
      () => false,
      (error) => error instanceof Outdated,
    );
    if (seen !== undefined) assert.deepEqual([isOutdated, await accounts()], [true, seen], `at call ${at}`);
    await applyAccounts(parts, nothing);
    if (seen === undefined) break;
  }
});

test('accounts of the service that other clients change or drop are restored', async () => {
  const parts = newParts();
  await applyAccounts(parts, first);
  const before = await accounts();
  const run = (command: Document) => client.db('admin').command(command);
  const more = [{ role: 'readAnyDatabase', db: 'admin' }];
  const privileges = [{ resource: { db: 'harbour', collection: '' }, actions: ['remove'] }];
  const changes: Document[] = [
    { grantRolesToUser: 'pilot', roles: more },
    { revokeRolesFromUser: 'pilot', roles: [{ role: 'crane', db: 'admin' }] },
    { dropUser: 'mate' },
    { grantRolesToRole: 'crane', roles: more },
    { grantPrivilegesToRole: 'crane', privileges },
  ];
  for (const change of changes) {
    await run(change);
    await applyAccounts(parts, first);
    const left = (await parts.book.of()).filter(({ problem }) => problem !== undefined);
    assert.deepEqual([await accounts(), left], [before, []], JSON.stringify(change));
  }
  const { roles } = await run({ rolesInfo: 'crane' });
  assert.deepEqual(roles[0].roles, []);
  // Accounts that nobody has changed are not written again.
  const { changes: count } = parts.book;
  await applyAccounts(parts, first);
  assert.equal(parts.book.changes, count);
  await applyAccounts(parts, nothing);
  assert.deepEqual(await accounts(), { users: [], roles: [] });
});
