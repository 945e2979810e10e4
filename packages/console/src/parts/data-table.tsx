import { EmptyState, EmptyStateBody, Spinner } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';

/** A column: its title, and the content of its cell in a row. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
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

/** Shows a list as a table. Shows a text while the list is loading, and if the list is empty. */
export function DataTable<T>({ label, columns, rows, keyOf, error, empty }: DataTableProps<T>) {
  if (error && rows === undefined) return <Problem error={error} />;
  if (rows === undefined) return <Spinner size="lg" aria-label={`Reading ${label}`} />;
  if (rows.length === 0)
    return (
      <EmptyState variant="sm" headingLevel="h3" titleText={`No ${label.toLowerCase()}`}>
        <EmptyStateBody>{empty}</EmptyStateBody>
      </EmptyState>
    );
  return (
    <Table aria-label={label} variant="compact" role="table">
      <Thead>
        <Tr>
          {columns.map(({ title }) => (
            <Th key={title}>{title}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={keyOf(row)}>
            {columns.map(({ title, cell }) => (
              <Td key={title} dataLabel={title}>
                {cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
