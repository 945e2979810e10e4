import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '@portolan/foundation/faults';
import type { RoleDocument, RoleRow } from './rows.ts';
import { readRole } from './rules.ts';
import { roleSpec } from './spec.ts';

const inheriting = (...names: string[]): RoleDocument => ({
  actions: [],
  inheritedRoles: names.map((role) => ({ role, db: 'admin' })),
});

const row = (name: string, document: RoleDocument): RoleRow => ({ id: name, groupId: 'g', name, document });

/** Returns roles of which each inherits all earlier ones. The number of inheritance paths doubles with each role. */
function ladder(count: number, visit = () => {}): RoleRow[] {
  const names = Array.from({ length: count }, (_, i) => `r${i}`);
  return names.map((name, i) => {
    const document = inheriting(...names.slice(0, i), 'end');
    return row(name, {
      actions: [],
      get inheritedRoles() {
        visit();
        return document.inheritedRoles;
      },
    });
  });
}

describe('custom roles', () => {
  it('visit each inherited role once', () => {
    let visits = 0;
    const roles = [row('end', inheriting()), ...ladder(24, () => visits++)];
    readRole('new', inheriting('r23'), roles);
    assert.ok(visits <= 24, `${visits}`);
  });

  it('of a project have a limit of resources', () => {
    const resources = (count: number) => ({
      actions: [{ action: 'FIND' as const, resources: Array(count).fill({ db: 'a', collection: '' }) }],
      inheritedRoles: [],
    });
    const roles = [row('other', resources(4_000)), row('changed', resources(9_000))];
    readRole('changed', resources(6_000), roles);
    assert.throws(() => readRole('changed', resources(6_001), roles), /limit of 10000 resources/);
  });

  it('allow no actions that servers do not know', () => {
    const resources = [{ db: 'harbour', collection: '' }, { cluster: true }];
    const document = readRole(
      'guest',
      {
        actions: [
          { action: 'OUT_TO_S3', resources },
          { action: 'CREATE_SEARCH_INDEX', resources },
        ],
        inheritedRoles: [],
      },
      [],
    );
    assert.deepEqual(roleSpec(row('guest', document)).privileges, [
      { actions: ['createSearchIndexes'], resource: { db: 'harbour', collection: '' } },
      { actions: ['createSearchIndexes'], resource: { cluster: true } },
    ]);
  });

  it('must not inherit themselves', () => {
    for (const [name, inherited] of [
      ['end', 'end'],
      ['end', 'r3'],
      ['r0', 'r3'],
    ] as const) {
      const roles = [row('end', inheriting()), ...ladder(5)];
      assert.throws(
        () => readRole(name, inheriting(inherited), roles),
        (error) => error instanceof Fault && error.code === 'PLATFORM_CUSTOM_ROLE_CYCLE',
      );
    }
  });
});
