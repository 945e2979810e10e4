import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Replaces imports of Node.js modules by `process.getBuiltinModule`. An `import` evaluates every export of a module.
 * Some exports are getters that load further modules, such as the streams of `node:fs` and Web Crypto. This takes 25
 * ms. The comment in the generated code makes esbuild omit the exports that no module uses.
 */
export const plainBuiltins: Plugin = {
  name: 'plain builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z0-9_:/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      return { path, namespace: kind === 'require-call' ? 'required' : 'imported' };
    });
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = ${builtin(path)};`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'imported' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) as object).filter(
        (name) => name !== 'default',
      );
      const named = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => $module.${name})();`);
      return {
        contents: [`const $module = ${builtin(path)};`, 'export default $module;', ...named].join('\n'),
      };
    });
  },
};

/** JavaScript that evaluates to a Node.js module. */
export function builtin(name: string): string {
  return `process.getBuiltinModule(${JSON.stringify(name)})`;
}

/**
 * Leaves imports of packages as they are, except imports of the packages in `inside`. A specifier names a package if it
 * is neither a relative nor an absolute path.
 */
export function packagesOutside(inside: ReadonlySet<string>): Plugin {
  return {
    name: 'packages outside',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (path.startsWith('@portolan/') || kind === 'entry-point') return undefined;
        return inside.has(packageOf(path)) ? undefined : { path, external: true };
      });
    },
  };
}

function packageOf(specifier: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Returns the given packages and all packages on which they depend. */
export function withDependencies(root: string, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  // The loop also visits the names that it adds.
  for (const name of found) {
    const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) found.add(dependency);
  }
  return found;
}
