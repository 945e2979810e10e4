import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  acceptedRoles,
  type Role,
  type RolePhrase,
  rolePhrases,
} from '../../packages/service/src/access/index.ts';
import type { Access, AnyOperation } from '../../packages/service/src/api/operation.ts';
import { shapeIn, versionsOf } from '../../packages/service/src/api/shapes.ts';
import { loadFamilies } from '../../packages/service/src/resources/load.ts';

/** An operation in a table of docs/contract/api.md 4. */
interface Listed {
  readonly id: string;
  readonly role: string;
  readonly isInLegacy: boolean;
}

function readContract(): Listed[] {
  const path = join(import.meta.dirname, '../../docs/contract/api.md');
  const text = readFileSync(path, 'utf8');
  const section = text.slice(text.indexOf('\n## 4. '), text.indexOf('\n## 5. '));
  return section.split(/\n\n/).flatMap((block) => {
    const [head = [], , ...rows] = block
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const place = head.indexOf('Role');
    return place < 0 ? [] : rows.flatMap((cells) => operationsOf(cells[1] ?? '', cells[place] ?? ''));
  });
}

/**
 * Returns the operations in a cell. `…Deprecated` stands for the first name in the cell with this ending. Parentheses
 * contain parameters, which are omitted.
 */
function operationsOf(cell: string, role: string): Listed[] {
  const isInLegacy = !cell.includes('(not in v1.0)');
  const names = [...cell.replaceAll(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return names.map((name) => ({ id: name.replace('…', names[0] ?? ''), role, isInLegacy }));
}

/** Returns the roles that also suffice for some operations (docs/contract/access.md 2.4). */
function alsoAccepted({ id }: AnyOperation): readonly Role[] {
  if (/BackupExportJobs?$|^deleteAllBackupSchedules$/.test(id)) return ['GROUP_BACKUP_MANAGER'];
  return id.includes('PlatformSearch') ? ['GROUP_SEARCH_INDEX_EDITOR'] : [];
}

/** Returns the text about one version. `A; in v1.0, also B` and `in v1.0, A; in later versions, B` have two parts. */
function roleIn(text: string, isLegacy: boolean): string {
  const [first = '', second] = text.split('; ');
  const other = /^in v1\.0, (also )?(.*)$/;
  if (second === undefined) return first;
  const [, , inFirst] = other.exec(first) ?? [];
  if (inFirst !== undefined) return isLegacy ? inFirst : second.replace(/^in later versions, /, '');
  const [, also, inSecond] = other.exec(second) ?? [];
  if (!isLegacy || inSecond === undefined) return first;
  return also === undefined ? inSecond : `${first} or ${inSecond}`;
}

/** Returns undefined if the text refers to another table. */
function rolesNamed(text: string): ReadonlySet<Role> | undefined {
  const phrases = text.replace(/, after .*$/, '').split(' or ');
  const isPhrase = (phrase: string): phrase is RolePhrase => rolePhrases.some((each) => each === phrase);
  return phrases.every(isPhrase) ? new Set(phrases.flatMap((phrase) => acceptedRoles(phrase))) : undefined;
}

const accepted = (access: Access | undefined) =>
  new Set(rolePhrases.filter((phrase) => phrase === access).flatMap((phrase) => acceptedRoles(phrase)));

test('operations require the roles that the contract names, and v1.0 lacks those that it lacks', async () => {
  const served = (await loadFamilies()).flatMap(({ operations }) => operations) as AnyOperation[];
  const byId = new Map(served.map((one) => [one.id, one]));
  const listed = readContract();
  assert.ok(listed.length > 80, `only ${listed.length} operations were found`);
  const compared: string[] = [];
  for (const { id, role, isInLegacy } of listed) {
    const operation = byId.get(id);
    assert.ok(operation, id);
    const dates = versionsOf(operation);
    const isServed = dates.includes('2023-01-01') && operation.absentInLegacy !== true;
    assert.ok(isInLegacy || !isServed, `${id} in v1.0`);
    for (const date of dates) {
      const wanted: ReadonlySet<Role> | undefined = rolesNamed(roleIn(role, date === '2023-01-01'));
      if (wanted === undefined) continue;
      const roles: ReadonlySet<Role> = new Set([...wanted, ...alsoAccepted(operation)]);
      assert.deepEqual(accepted(shapeIn(operation, date)?.access), roles, `${id} in ${date}`);
      compared.push(id);
    }
  }
  assert.ok(new Set(compared).size > 70, `only ${new Set(compared).size} operations were compared`);
});
