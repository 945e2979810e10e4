import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads `docs/roles.md`, which lists the roles that each operation requires. */

export interface RoleRow {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly versions: readonly string[];
  /** A requirement such as Project Read Only, or `any caller`, `no credentials` or `operator`. */
  readonly letsIn: string;
}

export interface RoleTable {
  readonly orgRoles: readonly string[];
  readonly groupRoles: readonly string[];
  /** The roles that meet each requirement. */
  readonly phrases: ReadonlyMap<string, ReadonlySet<string>>;
  readonly rows: readonly RoleRow[];
}

export function roleTable(): RoleTable {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'roles.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  const rowsOf = (section: string) =>
    section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) =>
        line
          .slice(2, -2)
          .split(' | ')
          .map((cell) => cell.replaceAll('`', '').trim()),
      );
  const [roles = '', phrases = '', ...tags] = sections;
  const held = (place: string) => rowsOf(roles).flatMap(([role = '', , on]) => (on === place ? [role] : []));
  return {
    orgRoles: held('organization'),
    groupRoles: held('project'),
    phrases: new Map(
      rowsOf(phrases).map(([phrase = '', accepted = '']) => [phrase, new Set(accepted.split(', '))]),
    ),
    rows: tags
      .flatMap(rowsOf)
      .map(([operation = '', method = '', path = '', versions = '', letsIn = '']) => ({
        operation,
        method,
        path,
        versions: versions.split(', '),
        letsIn: letsIn.split(';')[0] ?? '',
      })),
  };
}
