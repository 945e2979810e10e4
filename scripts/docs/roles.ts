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

/** `docs/roles.md`: which roles there are, and whom each operation lets in, in each of its versions. */
export function rolesPage(operations: readonly AnyOperation[]): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const tags = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1));
  return page('Roles', [
    'An operation asks for one of the phrases below on the organization or the project of its path. It lets in whoever\n' +
      'holds one of the roles that the phrase accepts: on the project itself, on the organization that owns it, or, for\n' +
      'an operation of an organization, on the organization or one of its projects. Everybody else is refused with 401.\n',
    '## Roles\n',
    table(
      ['Role', 'Name', 'Held on', 'Brings along'],
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
    '## Phrases\n',
    table(['Phrase', 'Accepted roles'], rolePhrases.map(phraseRow)),
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
  return table(['Operation', 'Method', 'Path', 'Versions', 'Lets in'], operations.flatMap(rowsOf));
}

/** One row per phrase that the operation asks for in any of its versions. */
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
    asksFor(operation, access),
  ]);
}

function asksFor({ bodyAccess }: AnyOperation, access: string): string {
  return bodyAccess === undefined ? access : `${access}; ${bodyAccess.role} of ${bodyAccess.of}`;
}
