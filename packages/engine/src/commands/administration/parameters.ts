import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { coerce, integerOf, MAX_INT32 } from '../../parameters/coerce.ts';
import { parameterTable, type SettableAt } from '../../parameters/known.ts';
import type { ServerParameters } from '../../parameters/parameters.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { words } from '../shared/field-builders.ts';
import { type Fields, type FieldType, fields } from '../shared/fields.ts';
import { isGeneric } from '../shared/generic-names.ts';
import { inspecting } from '../shared/presets.ts';

const optionFields = {
  showDetails: 'truth',
  allParameters: 'truth',
  setAt: words(['runtime', 'startup']),
  comment: 'any',
} as const;
const options = fields('getParameter', optionFields);

/**
 * Reads the value of `getParameter`. The value `*` requests all parameters. A document contains options, such as
 * `allParameters`. With any other value, the names of the other fields of the command are the requested parameters.
 */
const parametersWanted: FieldType<Partial<Fields<typeof optionFields>>> = {
  read(value) {
    if (value.type === bsonTypes.object) return options.read(documentOf(value));
    return value.type === bsonTypes.string && textOf(value) === '*' ? { allParameters: true } : {};
  },
};

const getParameter = command({
  name: 'getParameter',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'getParameter' }],
  lenient: true,
  fields: { getParameter: parametersWanted },
  run(
    { getParameter: { showDetails = false, allParameters = false, setAt } = {} },
    { body },
    { parameters },
  ) {
    const wanted = allParameters ? namesFor(setAt) : named(body);
    if (wanted.length === 0) throw new ServerError('InvalidOptions', 'no option found to get');
    return Object.fromEntries(
      wanted.map((name) => [name, showDetails ? details(parameters, name) : parameters.value(name)]),
    );
  },
});

const stages = { runtime: ['both', 'runtime'], startup: ['both', 'startup'] } as const satisfies Readonly<
  Record<string, readonly SettableAt[]>
>;

function namesFor(setAt: keyof typeof stages | undefined): string[] {
  const all = [...parameterTable.keys()];
  if (setAt === undefined) return all;
  const wanted: readonly SettableAt[] = stages[setAt];
  return all.filter((name) => wanted.includes(parameterTable.get(name)?.at ?? 'never'));
}

function named(body: RawDocument): string[] {
  return [...body].map(({ name }) => name).filter((name) => parameterTable.has(name));
}

function details(parameters: ServerParameters, name: string): object {
  const at = parameterTable.get(name)?.at ?? 'never';
  return {
    value: parameters.value(name),
    settableAtRuntime: at === 'both' || at === 'runtime',
    settableAtStartup: at === 'both' || at === 'startup',
  };
}

const setParameter = command({
  name: 'setParameter',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'setParameter' }],
  lenient: true,
  fields: { setParameter: 'any' },
  run(_args, { body }, cluster) {
    const given = [...body].filter(
      ({ name }) => name !== 'setParameter' && name !== 'help' && !isGeneric(name),
    );
    const seen = new Set<string>();
    for (const { name } of given) checkSettable(name, seen);
    const [first] = given;
    if (first === undefined) {
      throw new ServerError('InvalidOptions', 'no option found to set, use help:true to see options ');
    }
    const was = cluster.parameters.value(first.name);
    for (const change of given.map((element) => changeOf(element.name, element, cluster))) change();
    return { was };
  },
});

function checkSettable(name: string, seen: Set<string>): void {
  const known = parameterTable.get(name);
  if (known === undefined) {
    throw new ServerError(
      'InvalidOptions',
      `attempted to set unrecognized parameter [${name}], use help:true to see options `,
    );
  }
  if (known.at === 'startup' || known.at === 'never') {
    throw new ServerError('IllegalOperation', `not allowed to change [${name}] at runtime`);
  }
  if (seen.has(name)) {
    throw new ServerError(
      'InvalidOptions',
      `attempted to set parameter [${name}] twice in the same setParameter command, once to value: and then to value:`,
    );
  }
  seen.add(name);
}

/**
 * Validates a value, and returns a function that sets it. `setParameter` validates all values before it calls
 * any of these functions, so that an invalid value changes no parameter. Only the levels in
 * `logComponentVerbosity` are validated when they are set.
 */
function changeOf(name: string, value: Value, { parameters }: ClusterContext): () => void {
  if (name === 'logComponentVerbosity') {
    if (value.type !== bsonTypes.object) {
      throw new ServerError('TypeMismatch', 'log component verbosity is not a BSON object');
    }
    return parameters.verbosity.prepare(documentOf(value));
  }
  if (name === 'logLevel') {
    const level = integerOf(name, value);
    if (level < 0 || level > MAX_INT32)
      throw new ServerError('BadValue', `Invalid value for logLevel: ${level}`);
    return () => {
      parameters.verbosity.level = level;
    };
  }
  const known = parameterTable.get(name);
  const read = known === undefined ? undefined : coerce(name, value, known);
  return () => parameters.set(name, read);
}

export const parameterCommands: readonly Command[] = [getParameter, setParameter];
