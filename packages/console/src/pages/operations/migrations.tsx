import { Button, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { Link as PageLink } from 'wouter';
import type { Reply } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useDocument, useList } from '../../api/resources.ts';
import { Copied } from '../../parts/copied.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { MigrationList } from './migration-list.tsx';

type AvailableProject = Reply<'api', 'GET', `/orgs/${string}/liveMigrations/availableProjects`>[number];

interface Source {
  readonly project: AvailableProject;
  readonly deployment: string;
}

interface MigrationsProps {
  readonly groupId: string;
  /** The id of the displayed migration. */
  readonly id: string | undefined;
  /** Whether the person owns the organization. Others only see the migrations. */
  readonly isOwner: boolean;
  readonly onStarted: (id: string) => void;
}

/** Migrates a deployment of another organization to a cluster: copies its data, and follows its changes. */
export function Migrations({ groupId, id, isOwner, onStarted }: MigrationsProps) {
  const { data: project } = useDocument(`/groups/${groupId}`);
  return (
    <>
      {id !== undefined && <Migration path={`/groups/${groupId}/liveMigrations/${id}`} isOwner={isOwner} />}
      <MigrationList groupId={groupId} isOwner={isOwner} />
      {isOwner && project && <Link orgId={project.orgId} />}
      {isOwner && project && <Sources groupId={groupId} orgId={project.orgId} onStarted={onStarted} />}
    </>
  );
}

/** The states of migrations that have not ended. */
const RUNNING: ReadonlySet<string> = new Set(['NEW', 'WORKING']);

function Migration({
  path,
  isOwner,
}: {
  readonly path: `${GroupPath}/liveMigrations/${string}`;
  readonly isOwner: boolean;
}) {
  const { data, error } = useDocument(path);
  const change = useChange();
  return (
    <section aria-label="Migration" className="gap">
      <Problem error={error ?? change.error} />
      {data && (
        <Facts
          facts={[
            ['State', data.status],
            ['Lag behind the source', data.lagTimeSeconds === null ? undefined : `${data.lagTimeSeconds} s`],
            ['Problem', data.errorMessage],
          ]}
        />
      )}
      {data?.status === 'COMPLETE' && (
        <p>The cluster has all data of the source. Connect your applications to the cluster.</p>
      )}
      {isOwner && data && RUNNING.has(data.status ?? '') && (
        <div className="gap buttons">
          <Button
            isDisabled={data.readyForCutover !== true}
            onClick={() => change.mutate(apiRequest('PUT', `${path}/cutover`))}
          >
            Cut over
          </Button>
          <Remove
            name="migration"
            action="Cancel"
            dismissal="Continue migration"
            isSolid
            change={apiRequest('DELETE', path)}
            consequence="The cluster keeps the data that the migration has copied so far, and no longer follows the changes of the source."
          />
        </div>
      )}
    </section>
  );
}

/** Returns the command that starts a migration host. The user must replace the address of the source. */
const commandWith = (token: string): string =>
  `portolan link --token ${token} --ca-file ca.pem --source 'mongodb://USER:PASSWORD@HOST/?authSource=admin'`;

/**
 * Creates the link token. A migration host registers with this token, and then reports the deployments that it can
 * reach.
 */
function Link({ orgId }: { readonly orgId: string }) {
  const path = `/orgs/${orgId}/liveMigrations/linkTokens` as const;
  const creation = useChange<{ readonly linkToken: string }>();
  return (
    <section aria-label="Link" className="gap">
      <Title headingLevel="h2">Link to a source organization</Title>
      <p>
        Create a user with the roles <code>readAnyDatabase</code> and <code>clusterMonitor</code> at the
        source. Then create a link token, and start a migration host on a machine that can reach the source,
        this service and the cluster.
      </p>
      <Problem error={creation.error} />
      {creation.data && (
        <>
          <Copied label="migration host command" text={commandWith(creation.data.linkToken)} />
          <p>
            Replace the address of the source. The file <code>ca.pem</code> is in the data directory of the
            service. Omit <code>--ca-file</code> if the certificate of the service is from a public authority.
            In a clone, the command is <code>npm run --silent link --</code> with the same arguments.
          </p>
        </>
      )}
      <div className="gap buttons">
        <Button variant="secondary" onClick={() => creation.mutate(apiRequest('POST', path, {}))}>
          Create link token
        </Button>
        <Remove
          name="link"
          isSolid
          change={apiRequest('DELETE', path)}
          consequence="All live migrations into this organization end. Migration hosts need a new link token."
        />
      </div>
    </section>
  );
}

interface SourcesProps {
  readonly groupId: string;
  readonly orgId: string;
  readonly onStarted: (id: string) => void;
}

function Sources({ groupId, orgId, onStarted }: SourcesProps) {
  const { data, error } = useDocument(`/orgs/${orgId}/liveMigrations/availableProjects`);
  const [chosen, setChosen] = useState<Source>();
  const rows = data?.flatMap((project) =>
    (project.deployments ?? []).map(({ name = '' }): Source => ({ project, deployment: name })),
  );
  return (
    <>
      <Title headingLevel="h2">Sources</Title>
      <DataTable<Source>
        label="Sources"
        columns={[
          { title: 'Project', cell: ({ project }) => project.name },
          { title: 'Deployment', cell: ({ deployment }) => deployment },
          { title: 'Migration hosts', cell: ({ project }) => project.migrationHosts?.join(', ') },
          {
            title: 'Action',
            cell: (source) => (
              <Button variant="link" isInline onClick={() => setChosen(source)}>
                Migrate…
              </Button>
            ),
          },
        ]}
        rows={rows}
        keyOf={({ project, deployment }) => `${project.projectId} ${deployment}`}
        error={error}
        empty="Deployments appear when a migration host with a link token reports them."
      />
      {chosen && (
        <StartMigration
          groupId={groupId}
          source={chosen}
          onStarted={onStarted}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

interface StartMigrationProps {
  readonly groupId: string;
  readonly source: Source;
  readonly onStarted: (id: string) => void;
  readonly onClose: () => void;
}

function StartMigration({ groupId, source, onStarted, onClose }: StartMigrationProps) {
  const { data: clusters } = useList(`/groups/${groupId}/clusters`);
  const [name, setName] = useState<string>();
  const clusterName = name ?? clusters?.[0]?.name ?? '';
  const start = useChange<{ readonly _id: string }>(({ _id }) => onStarted(_id));
  const body = {
    destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
    source: {
      clusterName: source.deployment,
      groupId: source.project.projectId ?? '',
      managedAuthentication: true,
      ssl: false,
    },
  };
  return (
    <FormDialog
      title={`Migrate ${source.deployment}`}
      action="Migrate"
      isReady={clusterName !== ''}
      attempt={start}
      onSubmit={() => start.mutate(apiRequest('POST', `/groups/${groupId}/liveMigrations`, body))}
      onClose={onClose}
    >
      {clusters?.length === 0 ? (
        <p>
          The project has no clusters. <PageLink href={`/projects/${groupId}/clusters`}>Create one</PageLink>{' '}
          first, of the size M10 or larger.
        </p>
      ) : (
        <SelectField
          id="destination"
          label="Into cluster"
          value={clusterName}
          options={(clusters ?? []).map((cluster) => cluster.name)}
          help="A cluster of the size M10 or larger, with the major version of the source"
          onChange={setName}
        />
      )}
    </FormDialog>
  );
}
