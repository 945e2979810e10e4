import { posix } from 'node:path';
import { cyclicEdges, type Edge } from './cycles.ts';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';
import { isTest } from './tree.ts';

/**
 * The direction of imports: main → service → resources → (api, access, tasks, events, engine) → store → runtime. A
 * layer imports those of a lower rank; those of one rank import each other without cycles.
 */
const RANKS: Readonly<Record<string, number>> = {
  main: 6,
  // Plays a person: it starts the service as a process and speaks to it from outside.
  tour: 5,
  service: 4,
  resources: 3,
  api: 2,
  access: 2,
  tasks: 2,
  events: 2,
  engine: 2,
  store: 1,
  runtime: 0,
};

/** What a layer may import, where its rank alone would allow more. */
const ONLY: Readonly<Record<string, readonly string[]>> = { engine: ['runtime'] };
const NEVER: Readonly<Record<string, readonly string[]>> = { access: ['api'] };

/** An import of one file of the project by another. */
interface Link extends Edge {
  readonly source: Source;
  readonly target: string;
  readonly line: number;
}

export function checkLayers(sources: readonly Source[]): Finding[] {
  const links = sources.flatMap(linksOf);
  return [
    ...unknownLayers(sources),
    ...links.flatMap((link) => {
      const message = complaint(link);
      return message === undefined ? [] : [finding(link, message)];
    }),
    ...cycles(links.filter(isBetweenPeers), 'layers'),
    ...cycles(links.flatMap(betweenFamilies), 'families'),
  ];
}

function linksOf(source: Source): Link[] {
  return source.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line }) => {
      const target = posix.join(posix.dirname(source.path), specifier);
      return { source, target, line, from: layerOf(source.path), to: layerOf(target) };
    });
}

/** `store` for `src/store/open.ts`; `service` for files of `src` itself; the top folder for all outside of it. */
function layerOf(path: string): string {
  const [top = '', folder = '', ...rest] = path.split('/');
  if (top !== 'src') return top;
  if (rest.length > 0) return folder;
  return folder === 'main.ts' ? 'main' : 'service';
}

function unknownLayers(sources: readonly Source[]): Finding[] {
  const layers = new Map(sources.map(({ path }) => [layerOf(path), path]));
  return [...layers]
    .filter(([layer, path]) => path.startsWith('src/') && !(layer in RANKS))
    .map(([layer, file]) => ({
      file,
      message: `src/${layer} stands in no layer of scripts/check/layers.ts`,
    }));
}

function complaint(link: Link): string | undefined {
  const { source, target, from, to } = link;
  const leavesSource = source.path.startsWith('src/') && !target.startsWith('src/');
  if (leavesSource) return isSharedSupport(link) ? undefined : `src imports nothing from ${to}`;
  if (from === 'test' && target.startsWith('src/')) return 'whole-service tests import nothing from src';
  if (!source.path.startsWith('src/') || !target.startsWith('src/')) return undefined;
  if (isTest(target) && !isTest(source.path)) return `${posix.basename(target)} is for tests only`;
  return from === to ? familyComplaint(link) : directionComplaint(from, to);
}

/** Tests beside the source may use what all tests share. */
function isSharedSupport({ source, target }: Link): boolean {
  return isTest(source.path) && target.startsWith('test/support/');
}

function directionComplaint(from: string, to: string): string | undefined {
  const isAllowed = ONLY[from]?.includes(to) ?? !NEVER[from]?.includes(to);
  const goesUp = (RANKS[to] ?? 0) > (RANKS[from] ?? 0);
  return !isAllowed || goesUp ? `${from} must not import ${to}` : undefined;
}

/** Families know each other by their `index.ts`; what they share knows none of them. */
function familyComplaint({ source, target, from }: Link): string | undefined {
  const [own, other] = [familyOf(source.path), familyOf(target)];
  if (from !== 'resources' || own === other || other === undefined) return undefined;
  if (own === undefined) return `what the families share must not import the family ${other}`;
  return target.endsWith(`/${other}/index.ts`) ? undefined : `${other} is imported through its index.ts only`;
}

/** `clusters` for `src/resources/clusters/rows.ts`; nothing for files that all families share. */
function familyOf(path: string): string | undefined {
  const [, , family, ...rest] = path.split('/');
  return rest.length > 0 ? family : undefined;
}

function isBetweenPeers({ source, from, to }: Link): boolean {
  return !isTest(source.path) && from !== to && RANKS[from] === RANKS[to];
}

function betweenFamilies(link: Link): Link[] {
  if (link.from !== 'resources' || link.to !== 'resources' || isTest(link.source.path)) return [];
  const [from, to] = [familyOf(link.source.path), familyOf(link.target)];
  return from === undefined || to === undefined ? [] : [{ ...link, from, to }];
}

function cycles(links: readonly Link[], kind: string): Finding[] {
  return cyclicEdges(links).map((link) =>
    finding(link, `cycle of ${kind}: ${link.to} also reaches ${link.from}`),
  );
}

function finding(link: Link, message: string): Finding {
  return { file: link.source.path, line: link.line, message };
}
