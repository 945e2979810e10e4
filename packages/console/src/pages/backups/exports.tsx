import { Stack, StackItem, Title } from '@patternfly/react-core';
import type { Schemas } from '../../api/operations.ts';
import { type ClusterPath, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { MissingRole, Restricted } from '../../parts/restricted.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { BackupsProps } from './backups.tsx';
import { ExportBuckets } from './export-buckets.tsx';
import { ProviderAccess } from './provider-access.tsx';

type ExportJob = Schemas['ExportJob'];

/** Exports of snapshots, and the buckets that receive them. */
export function Exports({ groupId, path, may }: BackupsProps) {
  const isOwner = may('GROUP_OWNER');
  return (
    <Stack hasGutter>
      <StackItem>
        <Title headingLevel="h2">Exports</Title>
        <Restricted may={may} roles={['GROUP_PLATFORM_ADMIN', 'GROUP_BACKUP_MANAGER']}>
          {() => <ExportJobs path={path} />}
        </Restricted>
      </StackItem>
      <StackItem>
        <MissingRole may={may} roles={['GROUP_OWNER']} to="manage buckets and access roles" />
        <ExportBuckets group={`/groups/${groupId}`} isOwner={isOwner} />
      </StackItem>
      {isOwner && (
        <StackItem>
          <ProviderAccess group={`/groups/${groupId}`} />
        </StackItem>
      )}
    </Stack>
  );
}

function ExportJobs({ path }: { readonly path: ClusterPath }) {
  const jobs = useList(`${path}/backup/exports`);
  return (
    <DataTable<ExportJob>
      label="Exports"
      columns={[
        { title: 'Requested', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { title: 'State', cell: ({ state }) => <StateLabel state={state} /> },
        { title: 'Ended', cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
        { title: 'Prefix of the files', cell: ({ prefix }) => prefix },
        { title: 'Reason', cell: ({ stateReason }) => stateReason?.message },
      ]}
      rows={jobs.data}
      keyOf={({ id }) => id}
      error={jobs.error}
      empty="Export a snapshot under Snapshots."
    />
  );
}
