import type { AnyOperation, Method } from '../../packages/service/src/api/operation.ts';
import { shapeIn } from '../../packages/service/src/api/shapes.ts';
import type { ReleaseDate } from '../../packages/service/src/api/versions.ts';
import type { ContractOperation } from '../../test/support/contract-operations.ts';

export interface CoverageRow extends ContractOperation {
  readonly served: boolean;
  /** Versions in which a served operation is missing or unavailable. */
  readonly missingVersions: readonly string[];
}

type Source = ContractOperation['source'];

export interface Coverage {
  /** The rows, sorted by tag, path and method. */
  readonly rows: readonly CoverageRow[];
  /** Served operations that neither the contract nor the vendor's service has. */
  readonly extensions: readonly AnyOperation[];
  readonly totals: Readonly<Record<Source, { readonly listed: number; readonly served: number }>>;
}

/**
 * Compares the served operations with those of the contract and of the vendor's service, by method and path. Throws an
 * Error with a line for each wrong operation: one that is neither listed nor an extension, one with another id than the
 * listed operation, and one that has the method and path of another operation.
 */
export function coverage(served: readonly AnyOperation[], listed: readonly ContractOperation[]): Coverage {
  const extensions = served.filter((one) => one.surface === 'operator' || one.extension === true);
  const proper = served.filter((one) => !extensions.includes(one));
  const byAddress = new Map(listed.map((one) => [address(one), one]));
  const problems = [
    ...proper.map((one) => mismatch(one, byAddress.get(address(one)))),
    ...repeated(proper).map((place) => `${place} is served twice`),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new Error(`Operations differ from the contract: ${problems.join('; ')}`);

  const servedBy = new Map(proper.map((one) => [address(one), one]));
  const rows = listed.map((one) => row(one, servedBy.get(address(one)))).sort(byPlace);
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

/** Returns the method and path of an operation. Paths that differ only in the names of parameters are equal. */
function address({ method, path }: Addressed): string {
  return `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;
}

function mismatch(served: AnyOperation, listed: ContractOperation | undefined): string | undefined {
  const place = `${served.id} (${served.method} ${served.path})`;
  if (!listed) return `${place} is neither listed nor marked as an extension`;
  return listed.id === served.id ? undefined : `${place} is listed as ${listed.id}`;
}

function repeated(served: readonly AnyOperation[]): string[] {
  const groups = Map.groupBy(served, address);
  return [...groups].filter(([, ones]) => ones.length > 1).map(([place]) => place);
}

function row(listed: ContractOperation, served: AnyOperation | undefined): CoverageRow {
  const missingVersions = served
    ? listed.versions.filter((date) => !shapeIn(served, date as ReleaseDate))
    : [];
  return { ...listed, served: served !== undefined, missingVersions };
}

function byPlace(a: CoverageRow, b: CoverageRow): number {
  const [left, right] = [a, b].map((one) => `${one.tag}\n${one.path}\n${one.method}`) as [string, string];
  return left < right ? -1 : Number(left > right);
}

function total(rows: readonly CoverageRow[], source: Source) {
  const own = rows.filter((one) => one.source === source);
  return { listed: own.length, served: own.filter((one) => one.served).length };
}
