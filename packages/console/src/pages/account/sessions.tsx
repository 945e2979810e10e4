import { Button } from '@patternfly/react-core';
import type { Reply } from '../../api/operations.ts';
import { consoleRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useOwn } from './own.ts';

type LoginSession = Reply<'console', 'GET', '/sessions'>['results'][number];

/** The browsers in which the person is logged in. */
export function Sessions() {
  const { data, error } = useOwn('/sessions');
  const ending = useChange();
  return (
    <>
      <Heading title="Sessions" />
      <Problem error={ending.error} />
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
                <Button
                  variant="link"
                  isInline
                  isDanger
                  aria-label={`End session from ${address}`}
                  onClick={() => ending.mutate(consoleRequest('DELETE', `/sessions/${id}`))}
                >
                  End
                </Button>
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
