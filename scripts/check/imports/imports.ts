import { posix } from 'node:path';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import type { Finding } from '../finding.ts';
import type { Source } from '../source.ts';
import { isTest, type Tree } from '../tree.ts';
import { AREAS, LAYERS, type Part, ROOMS } from './order.ts';
import { importRules } from './rules.ts';

/** Whether imports keep their order, and no files import each other in a circle. */
export async function checkImports({ root, sources }: Tree): Promise<Finding[]> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const violations = await violationsBelow(root, [...byPath.keys()]);
  const breaches = new Map(violations.map(breachOf).map((breach) => [JSON.stringify(breach), breach]));
  return [...outsideOfOrder(sources), ...[...breaches.values()].map((breach) => findingOf(breach, byPath))];
}

async function violationsBelow(root: string, paths: string[]): Promise<readonly IViolation[]> {
  const { output } = await cruise(paths, {
    baseDir: root,
    validate: true,
    ruleSet: importRules,
    // Imports of types alone count too.
    tsPreCompilationDeps: true,
    parser: 'tsc',
    includeOnly: { path: '^(src|test|bench|scripts)/' },
  });
  return (output as ICruiseResult).summary.violations;
}

/** An import that breaks a rule, or a way along imports that comes back to where it begins. */
interface Breach {
  readonly rule: string;
  readonly way: readonly string[];
}

function breachOf({ rule, from, to, cycle }: IViolation): Breach {
  if (!cycle) return { rule: rule.name, way: [from, to] };
  const files = cycle.map(({ name }) => name);
  const first = files.indexOf(files.toSorted()[0] ?? '');
  // A circle is found from each of its files: it is told from one.
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

/** Files for which the order says nothing. */
function outsideOfOrder(sources: readonly Source[]): Finding[] {
  const inEngine = sources.filter(({ path }) => path.startsWith('src/engine/') && !isTest(path));
  return [
    ...unplaced(
      sources.filter(({ path }) => path.startsWith('src/')),
      LAYERS,
    ),
    ...unplaced(inEngine, ROOMS),
    ...unplaced(
      inEngine.filter(({ path }) => path.startsWith('src/engine/embedded/commands/')),
      AREAS,
    ),
  ];
}

function unplaced(sources: readonly Source[], parts: readonly Part[]): Finding[] {
  const forms = parts.map(({ path }) => new RegExp(path));
  return sources
    .filter(({ path }) => !forms.some((form) => form.test(path)))
    .map(({ path }) => ({ file: path, message: 'stands in no part of scripts/check/imports/order.ts' }));
}
