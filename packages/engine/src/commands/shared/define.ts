import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { type FieldReader, type Fields, type FieldTable, fields } from './fields.ts';
import { isGeneric } from './generic-names.ts';

type Definition<T extends FieldTable> = Omit<Command, 'fields' | 'run'> & {
  /** The fields of the command besides the generic arguments. */
  readonly fields: T;
  /** True if unknown fields are ignored. */
  readonly lenient?: boolean;
  run(args: Fields<T>, request: CommandRequest, cluster: ClusterContext): Reply;
};

/** Declares a command. The table `fields` determines how its arguments are read. */
export function command<const T extends FieldTable>(definition: Definition<T>): Command {
  const { fields: table, lenient = false, run, ...rest } = definition;
  const { name, aliases = [] } = definition;
  const others = lenient ? () => true : isGeneric;
  const reader = fields(name, table, others);
  const aliased = new Map(aliases.map((alias) => [alias, readerOfAlias(name, alias, table, others)]));
  return {
    ...rest,
    fields: table,
    run(request, cluster) {
      const { body, sequences } = request;
      return run((aliased.get(request.name) ?? reader).read(body, sequences), request, cluster);
    },
  };
}

/**
 * Reads a command that was sent under an alias. The first argument has the alias as its name. `run` receives
 * it under the name of the command.
 */
function readerOfAlias<T extends FieldTable>(
  name: string,
  alias: string,
  { [name]: own = 'any', ...rest }: T,
  others: (name: string) => boolean,
): FieldReader<T> {
  const reader = fields(name, { ...rest, [alias]: own }, others);
  return {
    read(document, sequences) {
      const found: PlainObject = reader.read(document, sequences);
      return { ...found, [name]: found[alias] } as Fields<T>;
    },
  };
}
