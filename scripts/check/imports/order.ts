/** The order of imports in each package, outermost part first. A part may import only parts that come after it. */

/** A part of the source: its name and its files. */
export interface Part {
  readonly name: string;
  /** A regular expression that matches the paths of its files, relative to the root. */
  readonly path: string;
}

/** The parts of the package `portolan`. */
const PORTOLAN: readonly Part[] = [
  { name: 'main', path: '^packages/portolan/src/main\\.ts$' },
  ...['commands', 'companion', 'tour', 'link', 'seed', 'library'].map(folderOf('portolan')),
];

/** The layers of the service. */
const SERVICE: readonly Part[] = [
  'boot',
  'states',
  'resources',
  'dialects',
  'api',
  'access',
  'kubernetes',
  'tasks',
  'events',
  'store',
  'objects',
  'adopted',
  'replication',
].map(folderOf('service'));

/** The layers of the engine. */
const ENGINE: readonly Part[] = [
  folderOf('engine')('command-line'),
  folderOf('engine')('companion'),
  { name: 'engine management', path: '^packages/engine/src/management\\.ts$' },
  ...['client', 'host', 'control', 'wire', 'worker', 'backup', 'commands', 'observe', 'access'].map(
    folderOf('engine'),
  ),
  ...['parameters', 'planner'].map(folderOf('engine')),
  { name: 'engine search', path: '^packages/engine/src/search/(?!analysis/)' },
  ...['storage', 'script', 'language', 'statement', 'message'].map(folderOf('engine')),
  // Text analysis splits text into tokens. It has no dependencies.
  { name: 'engine search analysis', path: '^packages/engine/src/search/analysis/' },
  ...['bson', 'errors', 'interface', 'library'].map(folderOf('engine')),
];

/**
 * The areas of the engine's commands. `generic` contains the code that all commands share, and `shared` contains the
 * code that several areas share.
 */
const COMMANDS: readonly Part[] = [
  { name: 'the table of commands', path: '^packages/engine/src/commands/index\\.ts$' },
  ...['administration', 'replication', 'sessions', 'transactions'].map(area),
  ...['aggregation', 'sharding', 'diagnostics', 'catalog', 'crud', 'search', 'indexes', 'accounts'].map(area),
  ...['planning', 'views', 'generic', 'shared', 'context'].map(area),
];

/** The folders whose parts have an order, each with its parts. A test may test an inner part through outer ones. */
export const ORDERS: Readonly<Record<string, readonly Part[]>> = {
  'packages/portolan/src/': PORTOLAN,
  'packages/service/src/': SERVICE,
  'packages/engine/src/': ENGINE,
  'packages/engine/src/commands/': COMMANDS,
};

function folderOf(name: string): (folder: string) => Part {
  return (folder) => ({ name: `${name} ${folder}`, path: `^packages/${name}/src/${folder}/` });
}

function area(name: string): Part {
  return { name: `commands ${name}`, path: `^packages/engine/src/commands/${name}/` };
}
