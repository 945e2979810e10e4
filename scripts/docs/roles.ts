import {
  acceptedRoles,
  type Role,
  type RolePhrase,
  rolePhrases,
  roles,
} from '../../packages/service/src/access/index.ts';
import { OPERATOR_BASE } from '../../packages/service/src/api/addresses.ts';
import type { AnyOperation } from '../../packages/service/src/api/operation.ts';
import { shapeIn, versionsOf } from '../../packages/service/src/api/shapes.ts';
import { code, page, table } from './markdown.ts';

/** `docs/roles.md`: all roles, and the roles that each operation requires, by version. */
export function rolesPage(operations: readonly AnyOperation[]): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const tags = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1));
  return page('Roles', [
    'Each operation has a *requirement*, such as Project Read Only. The table under [Requirements](#requirements) lists the\n' +
      'roles that meet each requirement. The caller must have one of these roles:\n',
    '- If the operation acts on a project, the caller must have the role in the project or in its organization.\n' +
      '- If the operation acts on an organization, the caller must have the role in the organization or in one of its projects.\n',
    'Other callers get 401. A role includes the permissions of the roles that it implies.\n',
    'In the tables of operations, "any caller" means that every caller with valid credentials may call the operation. A second\n' +
      'requirement after a semicolon applies only to the setting or organization that the row names.\n',
    '## Roles\n',
    table(
      ['Role', 'Name', 'Granted in', 'Implies'],
      Object.entries(roles).map(([name, { title, scope, implies }]) => [
        code(name),
        title,
        scope === 'org' ? 'organization' : 'project',
        implies
          .filter((other) => other !== name)
          .map(code)
          .join(', '),
      ]),
    ),
    '## Requirements\n',
    table(['Requirement', 'Accepted roles'], rolePhrases.map(phraseRow)),
    ...tags.flatMap(([tag, own]) => [`## ${tag}\n`, operationTable(own)]),
  ]);
}

function phraseRow(phrase: RolePhrase): string[] {
  return [
    phrase,
    acceptedRoles(phrase)
      .map((role: Role) => code(role))
      .join(', '),
  ];
}

function operationTable(operations: readonly AnyOperation[]): string {
  return table(['Operation', 'Method', 'Path', 'Versions', 'Requirement'], operations.flatMap(rowsOf));
}

/** Returns one row for each requirement, such as Project Read Only, that the operation has in any version. */
function rowsOf(operation: AnyOperation): string[][] {
  const { id, method, path, surface } = operation;
  const served = versionsOf(operation).flatMap((version) => {
    const shape = shapeIn(operation, version);
    return shape === undefined ? [] : [{ version, access: shape.access }];
  });
  return [...Map.groupBy(served, ({ access }) => access)].map(([access, own]) => [
    code(id),
    method,
    code(surface === 'operator' ? OPERATOR_BASE + path : path),
    own.map(({ version }) => version).join(', '),
    requirementOf(operation, access),
  ]);
}

function requirementOf({ bodyAccess }: AnyOperation, access: string): string {
  return bodyAccess === undefined ? access : `${access}; ${bodyAccess.role} of ${bodyAccess.of}`;
}
