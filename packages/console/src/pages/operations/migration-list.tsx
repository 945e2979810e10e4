import { Link } from 'wouter';
import type { Schemas } from '../../api/operations.ts';
import { useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { StateLabel } from '../../parts/state-label.tsx';

type ListedMigration = Schemas['ListedLiveMigration'];

interface MigrationListProps {
  readonly groupId: string;
  readonly isOwner: boolean;
}

/** The migrations into the clusters of a project, newest first. */
export function MigrationList({ groupId, isOwner }: MigrationListProps) {
  const { data, error } = useList(`/groups/${groupId}/liveMigrations`);
  return (
    <>
      <Heading title="Migrations" />
      <DataTable<ListedMigration>
        label="Migrations"
        columns={[
          {
            title: 'From',
            cell: ({ _id, sourceClusterName }) => (
              <Link href={`/projects/${groupId}/operations/migrations/${_id}`}>{sourceClusterName}</Link>
            ),
          },
          { title: 'Into', cell: ({ destinationClusterName }) => destinationClusterName },
          { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
          {
            title: 'Behind the source',
            cell: ({ lagTimeSeconds }) => (lagTimeSeconds === null ? '' : `${lagTimeSeconds} s`),
          },
          { title: 'Problem', cell: ({ errorMessage }) => errorMessage },
        ]}
        rows={data}
        keyOf={({ _id }) => _id}
        error={error}
        empty={
          isOwner
            ? 'Migrate one of the sources below. The migration is then listed here.'
            : 'An owner of the organization can start migrations. They are then listed here.'
        }
      />
    </>
  );
}
