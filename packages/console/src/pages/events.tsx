import type { Event } from '../api/resources.ts';
import { type Column, PagedTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/date.tsx';
import { View } from '../parts/view.tsx';

const columns: readonly Column<Event>[] = [
  { title: 'Time', cell: ({ created }) => <Moment at={created} /> },
  {
    title: 'Event',
    width: 40,
    cell: ({ eventTypeName, reason }) => [eventTypeName, reason].filter(Boolean).join(': '),
  },
  { title: 'Cluster', cell: ({ clusterName }) => clusterName },
  { title: 'By', cell: ({ username, publicKey }) => username ?? publicKey ?? 'the service' },
];

/** The events of a project, the latest first. */
export function EventsPage({ groupId }: { readonly groupId: string }) {
  return (
    <View title="Events">
      <PagedTable
        label="Events"
        columns={columns}
        path={`/groups/${groupId}/events`}
        keyOf={({ id }) => id}
        empty="Every change of the project is recorded here."
      />
    </View>
  );
}
