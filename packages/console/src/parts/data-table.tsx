import { EmptyState, EmptyStateBody, Pagination, Spinner } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type ReactNode, useState } from 'react';
import type { ApiEntry, Served } from '../api/operations.ts';
import { usePage } from '../api/resources.ts';
import { breakable } from './breakable.tsx';
import { Problem } from './problem.tsx';

/** A column: its title, and the content of its cell in a row. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Share of the width of the table, in percent; by default, the content determines it. */
  readonly width?: 10 | 15 | 20 | 40;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  readonly error?: Error | null;
  /** The text for an empty list. It explains what the list would contain and how to create an entry. */
  readonly empty: string;
}

/** Number of rows that a table displays at once. Browsers take long to lay out larger tables. */
const ROWS_PER_PAGE = 100;

/** Shows a list as a table. Shows a text while the list is loading, and if the list is empty. */
export function DataTable<T>({ rows, ...props }: DataTableProps<T>) {
  const [wanted, setWanted] = useState(1);
  const count = rows?.length ?? 0;
  // The list may have become shorter since the page was chosen.
  const page = Math.max(1, Math.min(wanted, Math.ceil(count / ROWS_PER_PAGE)));
  return (
    <>
      <PageOfRows {...props} rows={rows?.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)} />
      <Pages label={props.label} count={count} page={page} onChange={setWanted} />
    </>
  );
}

interface PagedTableProps<Path extends string>
  extends Omit<DataTableProps<ApiEntry<Path>>, 'error' | 'rows'> {
  /** The path of the list in the API. */
  readonly path: Path & Served<'api', 'GET', Path>;
}

/** Shows a list as a table that reads one page at a time, since the list can be very long. */
export function PagedTable<const Path extends string>({ path, ...props }: PagedTableProps<Path>) {
  const [page, setPage] = useState(1);
  const { data, error } = usePage<Path>(path, page, ROWS_PER_PAGE);
  return (
    <>
      <PageOfRows {...props} rows={data?.results} error={error} />
      <Pages label={props.label} count={data?.totalCount ?? 0} page={page} onChange={setPage} />
    </>
  );
}

interface PagesProps {
  readonly label: string;
  readonly count: number;
  readonly page: number;
  readonly onChange: (page: number) => void;
}

function Pages({ label, count, page, onChange }: PagesProps) {
  if (count <= ROWS_PER_PAGE) return null;
  return (
    <Pagination
      variant="bottom"
      isCompact
      itemCount={count}
      page={page}
      perPage={ROWS_PER_PAGE}
      perPageOptions={[{ title: `${ROWS_PER_PAGE}`, value: ROWS_PER_PAGE }]}
      widgetId={`pages-of-${label.toLowerCase().replaceAll(' ', '-')}`}
      titles={{ paginationAriaLabel: `Pages of ${label.toLowerCase()}` }}
      onSetPage={(_event, chosen) => onChange(chosen)}
    />
  );
}

/** Abbreviations, as in `API keys`, keep their capitals. */
const inSentence = (label: string): string =>
  label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());

const withBreaks = (content: ReactNode): ReactNode =>
  typeof content === 'string' ? breakable(content) : content;

function PageOfRows<T>({ label, columns, rows, keyOf, error, empty }: DataTableProps<T>) {
  if (error && rows === undefined) return <Problem error={error} />;
  if (rows === undefined) return <Spinner size="lg" aria-label={`Reading ${label}`} />;
  if (rows.length === 0)
    return (
      <EmptyState variant="sm" headingLevel="h3" titleText={`No ${inSentence(label)}`}>
        <EmptyStateBody>{empty}</EmptyStateBody>
      </EmptyState>
    );
  return (
    <Table aria-label={label} variant="compact" role="table">
      <Thead>
        <Tr>
          {columns.map(({ title, width }) => (
            <Th key={title} {...(width && { width })} modifier="wrap">
              {title}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={keyOf(row)}>
            {columns.map(({ title, cell }) => (
              <Td key={title} dataLabel={title}>
                {withBreaks(cell(row))}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
