/** The order of imports, outermost first: a part imports those that stand after it, and none before it. */

/** A part of the source: its name, and which files it has. */
export interface Part {
  readonly name: string;
  /** A regular expression that the paths of its files match, relative to the root. */
  readonly path: string;
}

/** The layers of `src`; files of `src` itself are the service, except for `main.ts`. */
export const LAYERS: readonly Part[] = [
  { name: 'main', path: '^src/main\\.ts$' },
  // What a person types, and what it does; of a service that runs they are callers.
  layer('commands'),
  // Runs services and databases for the process of whoever tests.
  layer('companion'),
  // Plays a person: it starts the service as a process and speaks to it from outside.
  layer('tour'),
  // The migration host of a source: of the service it knows how to speak to it.
  layer('link'),
  { name: 'service', path: '^src/(?!main\\.ts$)[^/]+\\.ts$' },
  layer('states'),
  layer('resources'),
  layer('api'),
  layer('access'),
  layer('tasks'),
  layer('events'),
  layer('engine'),
  layer('store'),
  layer('runtime'),
  // What is loaded into the process of whoever tests: all else is started by it.
  layer('library'),
];

/** The rooms of the embedded engine. What the rest of the project sees of it stands around them. */
export const ROOMS: readonly Part[] = [
  { name: 'the face of the engine', path: '^src/engine/(embedded/)?index\\.ts$' },
  room('client'),
  room('host'),
  // The form of what host and client say to each other.
  room('control'),
  room('wire'),
  room('worker'),
  room('backup'),
  room('commands'),
  room('observe'),
  room('access'),
  room('parameters'),
  room('planner'),
  { name: 'engine search', path: '^src/engine/embedded/search/(?!analysis/)' },
  room('storage'),
  room('script'),
  room('language'),
  room('statement'),
  room('message'),
  // Pure: texts to tokens.
  { name: 'engine search analysis', path: '^src/engine/embedded/search/analysis/' },
  room('bson'),
  room('errors'),
  {
    name: 'the interface of engines',
    path: '^src/engine/(search/.*|(engine|snapshot|oplog|frames|calls?|namespaces)\\.ts)$',
  },
];

/** The areas of the engine's commands. `generic` holds what all commands take, `shared` what several areas use. */
export const AREAS: readonly Part[] = [
  { name: 'the table of commands', path: '^src/engine/embedded/commands/index\\.ts$' },
  ...['administration', 'replication', 'sessions', 'transactions'].map(area),
  ...['aggregation', 'sharding', 'diagnostics', 'catalog', 'crud', 'search', 'indexes', 'accounts'].map(area),
  ...['planning', 'views', 'generic', 'shared', 'context'].map(area),
];

function layer(name: string): Part {
  return { name, path: `^src/${name}/` };
}

function room(name: string): Part {
  return { name: `engine ${name}`, path: `^src/engine/embedded/${name}/` };
}

function area(name: string): Part {
  return { name: `commands ${name}`, path: `^src/engine/embedded/commands/${name}/` };
}
