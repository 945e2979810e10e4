import { type Event, useList } from '../api/resources.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { View } from '../parts/view.tsx';

const columns: readonly Column<Event>[] = [
  { title: 'Time', cell: ({ created }) => <Moment at={created} /> },
  { title: 'Event', cell: ({ eventTypeName }) => eventTypeName },
  { title: 'Cluster', cell: ({ clusterName }) => clusterName },
  { title: 'By', cell: ({ username, publicKey }) => username ?? publicKey ?? 'the service' },
];

/** The latest events of a project. */
export function EventsPage({ groupId }: { readonly groupId: string }) {
  const { data, error } = useList<Event>(`/groups/${groupId}/events?itemsPerPage=100`);
  return (
    <View title="Events">
      <DataTable
        label="Events"
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Every change of the project is recorded here."
      />
    </View>
  );
}
