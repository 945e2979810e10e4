/** Merges environments. Processes preload the files in the `NODE_OPTIONS` of all of them. */
export function mergeEnvironments(...environments: readonly NodeJS.ProcessEnv[]): NodeJS.ProcessEnv {
  const options = environments.flatMap(({ NODE_OPTIONS }) => NODE_OPTIONS ?? []);
  return Object.assign({}, ...environments, { NODE_OPTIONS: options.join(' ') });
}
