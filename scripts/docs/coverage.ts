import { OPERATOR_BASE } from '../../packages/service/src/api/addresses.ts';
import type { AnyOperation } from '../../packages/service/src/api/operation.ts';
import type { Coverage, CoverageRow } from './contract-coverage.ts';
import { code, page, table } from './markdown.ts';

/** `docs/coverage.md`: every operation, and whether it is served. */
export function coveragePage({ rows, extensions, totals }: Coverage): string {
  const byTag = Map.groupBy(rows, ({ tag }) => tag);
  const { contract, reference } = totals;
  return page('Coverage', [
    'This page lists all operations, and whether Portolan serves them. The column Source contains "contract" for operations of\n' +
      'the [contract](contract/README.md), and "reference" for operations that only the MongoDB Atlas API contains. The last\n' +
      'section lists the operations that Portolan adds (extensions). An operation or version that is not served returns 501\n' +
      '`OPERATION_NOT_AVAILABLE`.\n',
    table(
      ['Source', 'Operations', 'Served operations', 'Share served'],
      [
        ['contract', ...figures(contract)],
        ['reference', ...figures(reference)],
        [
          'all',
          ...figures({
            listed: contract.listed + reference.listed,
            served: contract.served + reference.served,
          }),
        ],
      ],
    ),
    ...[...byTag].flatMap(([tag, ones]) => [`## ${tag}\n`, operationTable(ones)]),
    ...(extensions.length > 0 ? ['## Extensions\n', extensionTable(extensions)] : []),
  ]);
}

function figures({ listed, served }: { listed: number; served: number }): string[] {
  return [String(listed), String(served), `${Math.round((100 * served) / listed)} %`];
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
