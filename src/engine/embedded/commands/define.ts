import type { ClusterContext, Command, CommandRequest, Reply } from '../command.ts';
import { type Fields, type FieldTable, fields } from './fields.ts';
import { isGeneric } from './generic.ts';

type Definition<T extends FieldTable> = Omit<Command, 'run'> & {
  /** What the command's document may hold besides the generic arguments. */
  readonly fields: T;
  run(args: Fields<T>, request: CommandRequest, cluster: ClusterContext): Reply;
};

/** A command whose arguments are read by a table of fields. */
export function command<const T extends FieldTable>(definition: Definition<T>): Command {
  const { fields: table, run, ...rest } = definition;
  const aliases = new Set(definition.aliases);
  const reader = fields(definition.name, table, (name) => isGeneric(name) || aliases.has(name));
  return {
    ...rest,
    run: (request, cluster) => run(reader.read(request.body, request.sequences), request, cluster),
  };
}
