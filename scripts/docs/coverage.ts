import { OPERATOR_BASE } from '../../packages/service/src/api/addresses.ts';
import type { AnyOperation } from '../../packages/service/src/api/operation.ts';
import type { Coverage, CoverageRow } from './contract-coverage.ts';
import { code, page, table } from './markdown.ts';
import { vendorExtensions } from './vendor-operations.ts';

/** The operations on the page, and the number of operations of MongoDB Atlas that are known to be missing. */
export interface CoverageOptions extends Coverage {
  readonly unserved: number;
}

/** `docs/coverage.md`: every operation that the service has, and how many operations of MongoDB Atlas it lacks. */
export function coveragePage({ rows, extensions, totals, unserved }: CoverageOptions): string {
  const byTag = Map.groupBy(rows, ({ tag }) => tag);
  const { contract, reference } = totals;
  const { vendor, own, operator } = kindsOf(extensions);
  const atlas = contract.served + reference.served + vendor.length;
  return page('Coverage', [
    'This page lists the operations of the API, and counts the operations that Portolan serves and lacks:\n',
    '- "contract" marks operations of the [contract](contract/README.md). MongoDB Atlas has these operations too.\n' +
      '- "reference" marks operations outside the contract that Portolan has taken from the documentation of MongoDB Atlas.\n' +
      '  These operations are a selection, not the whole API of MongoDB Atlas.\n' +
      '- The sections with extensions list all other operations. MongoDB Atlas has some of these, too.\n',
    'Portolan does not serve the other operations of MongoDB Atlas. They are listed in\n' +
      '`packages/service/src/dialects/atlas/unserved.ts`. Below `/api/atlas`, they return 501 `RESOURCE_NOT_AVAILABLE`\n' +
      '([clients.md](clients.md)). A listed operation or version that is not served returns 501 `OPERATION_NOT_AVAILABLE`.\n',
    table(
      ['Operations', 'Number', 'Served operations', 'Share served'],
      [
        ['contract', ...figures(contract)],
        ['reference', ...figures(reference)],
        ['extensions that MongoDB Atlas has', ...figures(allOf(vendor))],
        ['other operations of MongoDB Atlas', ...figures({ listed: unserved, served: 0 })],
        ['all operations of MongoDB Atlas', ...figures({ listed: atlas + unserved, served: atlas })],
        ['extensions that only Portolan has', ...figures(allOf(own))],
        ['operations for the operator of Portolan', ...figures(allOf(operator))],
      ],
    ),
    ...[...byTag].flatMap(([tag, ones]) => [`## ${tag}\n`, operationTable(ones)]),
    ...section('Extensions that MongoDB Atlas has', vendor),
    ...section('Extensions that only Portolan has', own),
    ...section('Operations for the operator', operator),
  ]);
}

const allOf = (ones: readonly unknown[]) => ({ listed: ones.length, served: ones.length });

const section = (title: string, ones: readonly AnyOperation[]) =>
  ones.length > 0 ? [`## ${title}\n`, extensionTable(ones)] : [];

function kindsOf(extensions: readonly AnyOperation[]) {
  const isVendors = ({ id }: AnyOperation) => vendorExtensions.includes(id);
  const ofOperator = extensions.filter(({ surface }) => surface === 'operator');
  const others = extensions.filter((one) => !ofOperator.includes(one));
  const own = others.filter((one) => !isVendors(one));
  return { vendor: others.filter(isVendors), own, operator: ofOperator };
}

function figures({ listed, served }: { listed: number; served: number }): string[] {
  return [String(listed), String(served), listed === 0 ? '' : `${Math.round((100 * served) / listed)} %`];
}

function operationTable(rows: readonly CoverageRow[]): string {
  return table(
    ['Operation', 'Method', 'Path', 'Source', 'Versions', 'State'],
    rows.map((row) => [
      code(row.id),
      row.method,
      code(row.path),
      row.source,
      row.versions.join(', '),
      state(row),
    ]),
  );
}

function state({ served, missingVersions }: CoverageRow): string {
  if (!served) return '501';
  return missingVersions.length === 0 ? 'served' : `served, without ${missingVersions.join(', ')}`;
}

function extensionTable(extensions: readonly AnyOperation[]): string {
  return table(
    ['Operation', 'Method', 'Path', 'Purpose'],
    extensions.map(({ id, method, path, surface, summary }) => [
      code(id),
      method,
      code(surface === 'operator' ? OPERATOR_BASE + path : path),
      summary,
    ]),
  );
}
