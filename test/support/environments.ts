/** Merges environments with `NODE_OPTIONS`, so that processes preload the files of all of them. */
export function mergeEnvironments(...environments: readonly NodeJS.ProcessEnv[]): NodeJS.ProcessEnv {
  const options = environments.flatMap(({ NODE_OPTIONS }) => NODE_OPTIONS ?? []);
  return Object.assign({}, ...environments, { NODE_OPTIONS: options.join(' ') });
}
