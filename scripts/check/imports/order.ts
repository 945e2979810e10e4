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
  // Plays a person: it starts the service as a process and speaks to it from outside.
  layer('tour'),
  { name: 'service', path: '^src/(?!main\\.ts$)[^/]+\\.ts$' },
  layer('resources'),
  layer('api'),
  layer('access'),
  layer('tasks'),
  layer('events'),
  layer('engine'),
  layer('store'),
  layer('runtime'),
];

function layer(name: string): Part {
  return { name, path: `^src/${name}/` };
}
