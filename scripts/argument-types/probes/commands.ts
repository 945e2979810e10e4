import type { Command } from '../../../packages/engine/src/commands/context/command.ts';
import { commandTable } from '../../../packages/engine/src/commands/index.ts';
import { hole, holes, nested, type Shape, type Subject } from '../subject.ts';
import { commandTemplates } from './command-templates.ts';
import { genericTemplates } from './generic-arguments.ts';
import { nestedTemplates } from './nested-arguments.ts';

/**
 * Every declared field of every command, the arguments that all commands have, and the fields of documents in
 * arguments.
 */
export function commandSubjects(): Subject[] {
  const commands = [...new Set(commandTable.values())].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    ...commands.flatMap(declared),
    ...nestedTemplates.flatMap((template) => within('documents of commands', template, template.command)),
    ...genericTemplates.flatMap(({ of, base, fields }) =>
      within('generic arguments', { of, command: base }, fields).map((subject) => ({
        ...subject,
        command: { ...base, ...subject.command },
      })),
    ),
  ];
}

function declared({ name, fields, knownOn, database }: Command): Subject[] {
  const { base = {}, beside = {}, after } = commandTemplates[name] ?? {};
  const first = base[name] ?? (String(fields[name]).startsWith('collection') ? 'probe' : 1);
  return Object.keys(fields).map((field) => ({
    page: 'commands',
    of: name,
    field,
    command: {
      ...(database === 'admin' ? { $db: 'admin' } : {}),
      [name]: first,
      ...base,
      ...beside[field],
      [field]: hole,
    },
    ...(after === undefined ? {} : { after }),
    ...(knownOn === 'everywhere' ? {} : { router: true }),
  }));
}

interface Within {
  readonly of: string;
  readonly command: Shape;
  readonly after?: readonly Shape[];
}

/**
 * Returns the fields of the documents that are marked in `fields`. For generic arguments, also the arguments
 * themselves.
 */
function within(page: string, { of, after }: Within, fields: Shape): Subject[] {
  return holes(nested(fields))
    .filter(({ field }) => field !== '' && (page === 'generic arguments' || field.includes('.')))
    .map(({ field, shape }) => ({
      page,
      of,
      field,
      command: shape as Shape,
      ...(after === undefined ? {} : { after }),
    }));
}
