import { accountChanges } from '../../packages/engine/src/commands/accounts/changes.ts';
import type { Command } from '../../packages/engine/src/commands/context/command.ts';
import { commandTable } from '../../packages/engine/src/commands/index.ts';
import { accumulators } from '../../packages/engine/src/language/expression/accumulators/index.ts';
import { operatorTable } from '../../packages/engine/src/language/expression/operators.ts';
import { pathOperators, topLevelOperatorTable } from '../../packages/engine/src/language/filter/compile.ts';
import { keywords } from '../../packages/engine/src/language/filter/json-schema/compile.ts';
import { stageTable } from '../../packages/engine/src/language/pipeline/stages.ts';
import { functions } from '../../packages/engine/src/language/pipeline/window/functions.ts';
import { modifiers } from '../../packages/engine/src/language/update/modifiers.ts';
import { connectionCommands } from '../../packages/engine/src/wire/connection-commands.ts';
import { conformance, manualSamples, specifications } from './engine-conformance.ts';
import { differences, type Fact, limits } from './engine-facts.ts';
import { missingNames } from './engine-missing.ts';
import { suitesPart } from './engine-suites.ts';
import { code, page, table } from './markdown.ts';

/** The supported and unsupported names of one kind, and the error code for the unsupported ones. */
interface Knowledge {
  readonly title: string;
  readonly known: Iterable<string>;
  readonly missing?: readonly string[];
  readonly refusal: string;
  /** A sentence before the list. */
  readonly note?: string;
}

const { stages, expressions, queryOperators } = missingNames;

const knowledge: readonly Knowledge[] = [
  { title: 'Stages', known: Object.keys(stageTable), missing: stages, refusal: '40324' },
  { title: 'Expressions', known: Object.keys(operatorTable), missing: expressions, refusal: '168' },
  { title: 'Accumulators', known: accumulators.keys(), refusal: '15952' },
  {
    title: 'Window functions',
    known: functions.keys(),
    refusal: '9',
    note: 'Accumulators are also window functions. These window functions are not accumulators:',
  },
  { title: 'Query operators', known: pathOperators.keys(), missing: queryOperators, refusal: '2' },
  { title: 'Top-level query operators', known: topLevelOperatorTable.keys(), refusal: '2' },
  { title: 'Update operators', known: [...modifiers.keys(), '$rename'], refusal: '9' },
  { title: 'Schema keywords', known: keywords.keys(), refusal: '9' },
];

const NO_SUCH_COMMAND = '59';

/** `docs/engine.md`: what the embedded engine supports, its limits and its differences from the reference server. */
export function enginePage(): string {
  return page('The embedded engine', [
    'The embedded engine is the database of Portolan. It runs all clusters except adopted deployments and clusters on\n' +
      'Kubernetes, and `npm run engine` starts it without the service. It implements the wire protocol and the query language\n' +
      'of MongoDB 8.2. On this page, the MongoDB server is called the reference server. If a command, stage or operator is not\n' +
      'supported, the engine returns the same error code as for an unknown name. `npm test` checks every name on this page\n' +
      'with a running engine.\n',
    ...commandsPart(),
    ...managedPart(),
    ...knowledge.flatMap(languagePart),
    '## Limits\n',
    factsTable(limits),
    '## Differences\n',
    'The engine differs from the reference server in these points:\n',
    factsTable(differences),
    ...conformancePart(),
    ...suitesPart(),
  ]);
}

interface CommandRow {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly command: Command | undefined;
}

function commandsPart(): string[] {
  const rows: CommandRow[] = [
    ...[...new Set(commandTable.values())].map((command) => ({
      name: command.name,
      aliases: command.aliases ?? [],
      command,
    })),
    ...connectionCommands
      .filter(({ managed }) => managed === 'answered')
      .map(({ name, aliases }) => ({ name, aliases, command: undefined })),
  ].toSorted((a, b) => byName(a.name, b.name));
  const known = rows.flatMap(({ name, aliases }) => [name, ...aliases]);
  return [
    '## Commands\n',
    'The column Available says which servers accept the command: all servers ("everywhere"), only the routers of sharded\n' +
      'clusters ("on routers"), or all servers of sharded clusters ("in sharded clusters"). The column Database contains\n' +
      '"admin" if the command must be sent to this database. The column Writes contains "yes" if the engine runs the command\n' +
      'in a write transaction.\n',
    table(
      ['Command', 'Aliases', 'Available', 'Database', 'Writes'],
      rows.map(({ name, aliases, command }) => [
        code(name),
        aliases.map(code).join(', '),
        availabilityOf(command),
        command?.database ?? 'any',
        command?.data === 'write' ? 'yes' : '',
      ]),
    ),
    ...missingPart(missingNames.commands, known, NO_SUCH_COMMAND),
  ];
}

function availabilityOf(command: Command | undefined): string {
  if (command?.knownOn === 'routers') return 'on routers';
  return command?.knownOn === 'sharded clusters' ? 'in sharded clusters' : 'everywhere';
}

function managedPart(): string[] {
  return [
    '## Commands for users and roles\n',
    'In clusters of the service, only the API can change users and roles, so the following commands return error 8000\n' +
      '`CMD_NOT_ALLOWED`. If `npm run engine` has started the engine, these commands work, and so does `configureFailPoint`.\n',
    list(accountChanges),
  ];
}

function languagePart({ title, known, missing = [], refusal, note }: Knowledge): string[] {
  const all = [...known].toSorted(byName);
  return [
    `## ${title}\n`,
    ...(note === undefined ? [] : [`${note}\n`]),
    list(all),
    ...missingPart(missing, all, refusal),
  ];
}

function missingPart(missing: readonly string[], known: readonly string[], refusal: string): string[] {
  const found = missing.filter((name) => known.includes(name));
  if (found.length > 0) throw new Error(`supported, but listed as missing: ${found.join(', ')}`);
  return missing.length === 0 ? [] : [`Not supported (error ${refusal}):\n`, list(missing.toSorted(byName))];
}

function conformancePart(): string[] {
  const { date, rows } = conformance;
  const figures = (cases: number, passed: number) => [
    String(cases),
    String(passed),
    `${(Math.floor((1000 * passed) / cases) / 10).toFixed(1)} %`,
  ];
  const head = ['Cases', 'Passed', 'Share'];
  return [
    '## Conformance\n',
    ...(date === undefined
      ? []
      : [
          `On ${date}, the engine had these results in the public functional test cases of the reference server. Cases that\n` +
            'failed because of an error of the engine were run again after its correction. The column Failures says what the failed\n' +
            'cases test, or why they fail:\n',
          table(
            ['Area', ...head, 'Failures'],
            rows.map(({ area, cases, passed, rest }) => [area, ...figures(cases, passed), rest]),
          ),
        ]),
    'Several times, a sample of sentences from all areas of the public manual of the reference server was rewritten as\n' +
      'tests. Each row of the next table shows the first run of the tests of one sample. The last columns count the failures by\n' +
      'cause: an error of the engine (Engine), an error of the test (Test), or a rule of the reference server that the manual\n' +
      'simplifies (Manual). The errors of the engine have been corrected since, or are listed as differences above.\n',
    table(
      ['Date', 'Sentences', ...head.slice(1), 'Engine', 'Test', 'Manual'],
      manualSamples.map(({ date, statements, passed, engine, test, manual }) => [
        date,
        ...figures(statements, passed),
        ...[engine, test, manual].map(String),
      ]),
    ),
    'The public test cases of the specifications of drivers were also rewritten as tests of Portolan. These tests use the official\n' +
      'driver for Node.js:\n',
    table(
      ['Specification', ...head, 'Tests in `packages/engine/src`'],
      specifications.map(({ specification, cases, passed, files }) => [
        specification,
        ...figures(cases, passed),
        code(files),
      ]),
    ),
  ];
}

function factsTable(facts: readonly Fact[]): string {
  return table(
    ['Subject', 'Behaviour'],
    facts.map(({ topic, what }) => [topic, what]),
  );
}

const LINE = 110;

/** Returns a list of names, wrapped at the usual line width. */
function list(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names.map(code)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length + 1 > LINE) lines.push(name);
    else lines[lines.length - 1] = `${last} ${name}`;
  }
  return `${lines.join('\n')}\n`;
}

function byName(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
