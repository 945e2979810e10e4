/** One environment out of several in which processes load files before their own: all of these files are loaded. */
export function together(...environments: readonly NodeJS.ProcessEnv[]): NodeJS.ProcessEnv {
  const options = environments.flatMap(({ NODE_OPTIONS }) => NODE_OPTIONS ?? []);
  return Object.assign({}, ...environments, { NODE_OPTIONS: options.join(' ') });
}
