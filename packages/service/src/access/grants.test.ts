import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { grantRole, grantsHeldBy, MAX_ROLES, rolesAt, setRoles } from './grants.ts';
import { insertGrant } from './rows.ts';
import { newKey, openInstance } from './testing.ts';

const project = (number: number) =>
  ({ kind: 'group', id: `5f${number.toString(16).padStart(22, '0')}` }) as const;

onEachDatabase('a principal has at most a limited number of roles', async (t, database) => {
  const { store, ...instance } = await openInstance(t, database);
  const [full, other] = [await newKey({ store, ...instance }), await newKey({ store, ...instance })];
  await store.write(async (tx) => {
    for (let number = 0; number < MAX_ROLES; number++) {
      const row = { principal_id: full.id, scope_kind: 'group', scope_id: project(number).id } as const;
      await insertGrant(tx, { ...row, role: 'GROUP_READ_ONLY' });
    }
  });
  const grant = (id: string) => store.write((tx) => grantRole(tx, id, project(MAX_ROLES), 'GROUP_OWNER'));
  await assert.rejects(grant(full.id), { code: 'MAX_ROLES_EXCEEDED' });
  await grant(other.id);
  // A role can still be replaced by another one.
  await store.write((tx) => setRoles(tx, full.id, project(0), ['GROUP_OWNER']));
  assert.deepEqual(await store.read((tx) => rolesAt(tx, full.id, project(0))), ['GROUP_OWNER']);
});

onEachDatabase(
  'other requests are served while the roles of many principals are read',
  async (t, database) => {
    const { store, ...instance } = await openInstance(t, database);
    const { id } = await newKey({ store, ...instance });
    await store.write((tx) => grantRole(tx, id, project(0), 'GROUP_OWNER'));
    const others = Array.from({ length: 100 }, (_, number) => `nobody-${number}`);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const held = await store.read((tx) => grantsHeldBy(tx, [...others, id]));
    isDone = true;
    assert.equal(held.length, 1);
    assert.ok(turns > 5, `${turns} turns of the event loop`);
  },
);
