import type { AnyOperation, Method } from '../operation.ts';
import { shapeIn } from '../shapes.ts';
import type { ReleaseDate } from '../versions.ts';
import type { PlannedOperation, PlannedSource } from './planned.ts';

export interface CoverageRow extends PlannedOperation {
  readonly served: boolean;
  /** Versions of a served operation that it does not answer in. */
  readonly missingVersions: readonly ReleaseDate[];
}

export interface Coverage {
  /** By tag, path and method. */
  readonly rows: readonly CoverageRow[];
  /** Operations that are served beside the planned ones. */
  readonly extensions: readonly AnyOperation[];
  readonly totals: { readonly [S in PlannedSource]: { readonly planned: number; readonly served: number } };
}

/**
 * Compares what is served with what is planned, by method and path.
 * @throws Error that names every served operation which is not planned and not marked as an extension, has another
 *   id than the planned one, or shares its method and path with a second one
 */
export function coverage(served: readonly AnyOperation[], planned: readonly PlannedOperation[]): Coverage {
  const extensions = served.filter((one) => one.surface === 'operator' || one.extension === true);
  const proper = served.filter((one) => !extensions.includes(one));
  const byAddress = new Map(planned.map((one) => [address(one), one]));
  const problems = [
    ...proper.map((one) => mismatch(one, byAddress.get(address(one)))),
    ...repeated(proper).map((place) => `${place} is served twice`),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new Error(`Operations do not fit the plan: ${problems.join('; ')}`);

  const servedBy = new Map(proper.map((one) => [address(one), one]));
  const rows = planned.map((one) => row(one, servedBy.get(address(one)))).sort(byPlace);
  return {
    rows,
    extensions,
    totals: { contract: total(rows, 'contract'), reference: total(rows, 'reference') },
  };
}

interface Addressed {
  readonly method: Method;
  readonly path: string;
}

/** Names in braces do not tell paths apart. */
function address({ method, path }: Addressed): string {
  return `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;
}

function mismatch(served: AnyOperation, planned: PlannedOperation | undefined): string | undefined {
  const place = `${served.id} (${served.method} ${served.path})`;
  if (!planned) return `${place} is neither planned nor marked as an extension`;
  return planned.id === served.id ? undefined : `${place} is planned as ${planned.id}`;
}

function repeated(served: readonly AnyOperation[]): string[] {
  const groups = Map.groupBy(served, address);
  return [...groups].filter(([, ones]) => ones.length > 1).map(([place]) => place);
}

function row(planned: PlannedOperation, served: AnyOperation | undefined): CoverageRow {
  const missingVersions = served ? planned.versions.filter((date) => !shapeIn(served, date)) : [];
  return { ...planned, served: served !== undefined, missingVersions };
}

function byPlace(a: CoverageRow, b: CoverageRow): number {
  const [left, right] = [a, b].map((one) => `${one.tag}\n${one.path}\n${one.method}`) as [string, string];
  return left < right ? -1 : Number(left > right);
}

function total(rows: readonly CoverageRow[], source: PlannedSource) {
  const own = rows.filter((one) => one.source === source);
  return { planned: own.length, served: own.filter((one) => one.served).length };
}
