import { posix } from 'node:path';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import type { Finding } from '../finding.ts';
import { packageOf, workspacePackages } from '../packages.ts';
import type { Source } from '../source.ts';
import { isTest, type Tree } from '../tree.ts';
import { checkExports } from './exports.ts';
import { type Edge, folderCircles } from './folders.ts';
import { ORDERS, type Part } from './order.ts';
import { importRules } from './rules.ts';

/**
 * Checks that imports keep to the order of parts and to the exports of packages, and that neither files nor sibling
 * folders form a circle.
 */
export async function checkImports({ root, sources }: Tree): Promise<Finding[]> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const packages = workspacePackages(root);
  const { violations, edges } = await graphBelow(root, [...byPath.keys()]);
  const breaches = new Map(violations.map(breachOf).map((breach) => [JSON.stringify(breach), breach]));
  return [
    ...outsideOfOrder(sources),
    ...checkExports(sources, packages),
    ...folderCircles(edges.filter(({ from, to }) => packageOf(from, packages) === packageOf(to, packages))),
    ...[...breaches.values()].map((breach) => findingOf(breach, byPath)),
  ];
}

async function graphBelow(
  root: string,
  paths: string[],
): Promise<{ readonly violations: readonly IViolation[]; readonly edges: readonly Edge[] }> {
  const options = {
    baseDir: root,
    validate: true,
    ruleSet: importRules,
    // Type-only imports count, too.
    tsPreCompilationDeps: true,
    parser: 'tsc' as const,
    includeOnly: { path: '^(packages|test|bench|scripts)/' },
  };
  const { output } = await cruise(paths, options, {
    exportsFields: ['exports'],
    conditionNames: ['import', 'default'],
  });
  const { modules, summary } = output as ICruiseResult;
  const edges = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  return {
    violations: summary.violations,
    edges: edges.filter(({ from, to }) => /\.ts$/.test(to) && !isTest(from) && !isTest(to)),
  };
}

/** A violation: an import that breaks a rule, or a circle of imports. */
interface Breach {
  readonly rule: string;
  readonly way: readonly string[];
}

function breachOf({ rule, from, to, cycle }: IViolation): Breach {
  if (!cycle) return { rule: rule.name, way: [from, to] };
  const files = cycle.map(({ name }) => name);
  const first = files.indexOf(files.toSorted()[0] ?? '');
  // A circle is found from each of its files. Start it at a fixed file, so that it is reported once.
  const circle = [...files.slice(first), ...files.slice(0, first)];
  return { rule: rule.name, way: [...circle, ...circle.slice(0, 1)] };
}

function findingOf({ rule, way }: Breach, sources: ReadonlyMap<string, Source>): Finding {
  const [file = '', target = ''] = way;
  const line = lineOfImport(sources.get(file), target);
  const isCircle = file === way.at(-1);
  return {
    file,
    ...(line === undefined ? {} : { line }),
    message: `${rule} ${isCircle ? way.join(' → ') : target}`,
  };
}

function lineOfImport(source: Source | undefined, target: string): number | undefined {
  return source?.imports.find(({ specifier }) => posix.join(posix.dirname(source.path), specifier) === target)
    ?.line;
}

/** Files that belong to no part of the order. */
function outsideOfOrder(sources: readonly Source[]): Finding[] {
  return Object.entries(ORDERS).flatMap(([folder, parts]) =>
    unplaced(
      sources.filter(({ path }) => path.startsWith(folder) && !isTest(path)),
      parts,
    ),
  );
}

function unplaced(sources: readonly Source[], parts: readonly Part[]): Finding[] {
  const forms = parts.map(({ path }) => new RegExp(path));
  return sources
    .filter(({ path }) => !forms.some((form) => form.test(path)))
    .map(({ path }) => ({ file: path, message: 'stands in no part of scripts/check/imports/order.ts' }));
}
