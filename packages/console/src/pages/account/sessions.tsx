import type { Reply } from '../../api/operations.ts';
import { consoleRequest } from '../../api/requests.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { useOwn } from './own.ts';

type LoginSession = Reply<'console', 'GET', '/sessions'>['results'][number];

/** The browsers in which the person is logged in. */
export function Sessions() {
  const { data, error } = useOwn('/sessions');
  return (
    <>
      <Heading title="Sessions" />
      <DataTable<LoginSession>
        label="Sessions"
        columns={[
          { title: 'Address', cell: ({ address }) => address },
          { title: 'Browser', cell: ({ agent }) => agent },
          { title: 'Since', cell: ({ created }) => <Moment at={created} /> },
          { title: 'Last used', cell: ({ lastUsed }) => <Moment at={lastUsed} /> },
          {
            title: 'Action',
            cell: ({ id, current, address }) =>
              current ? (
                'this session'
              ) : (
                <Remove
                  name={`session from ${address}`}
                  action="End"
                  change={consoleRequest('DELETE', `/sessions/${id}`)}
                  consequence="The browser of the session must log in again."
                />
              ),
          },
        ]}
        rows={data?.results}
        keyOf={({ id }) => id}
        error={error}
        empty="Each login opens a session."
      />
    </>
  );
}
