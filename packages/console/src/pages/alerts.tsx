import { Button } from '@patternfly/react-core';
import { type OpenAlert, useChange, useList } from '../api/resources.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { View } from '../parts/view.tsx';

const HOUR_MS = 3_600_000;

/** The open and closed alerts of a project. */
export function AlertsPage({ groupId }: { readonly groupId: string }) {
  const path = `/groups/${groupId}/alerts`;
  const { data, error } = useList<OpenAlert>(`${path}?itemsPerPage=100`);
  const change = useChange();
  const acknowledge = ({ id }: OpenAlert) => {
    const acknowledgedUntil = `${new Date(Date.now() + HOUR_MS).toISOString().slice(0, 19)}Z`;
    change.mutate({ method: 'PATCH', path: `${path}/${id}`, body: { acknowledgedUntil } });
  };
  return (
    <View title="Alerts">
      <Problem error={change.error} />
      <DataTable
        label="Alerts"
        columns={columnsOf(acknowledge)}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Alerts appear when a condition of an alert configuration is met."
      />
    </View>
  );
}

const columnsOf = (acknowledge: (alert: OpenAlert) => void): readonly Column<OpenAlert>[] => [
  { title: 'Alert', cell: ({ eventTypeName }) => eventTypeName },
  { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
  { title: 'Cluster', cell: ({ clusterName }) => clusterName },
  { title: 'Opened', cell: ({ created }) => <Moment at={created} /> },
  { title: 'Acknowledged until', cell: ({ acknowledgedUntil }) => <Moment at={acknowledgedUntil} /> },
  {
    title: 'Action',
    cell: (alert) =>
      alert.status === 'OPEN' &&
      alert.acknowledgedUntil === undefined && (
        <Button variant="link" isInline onClick={() => acknowledge(alert)}>
          Acknowledge for one hour
        </Button>
      ),
  },
];
