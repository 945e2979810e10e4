import { Button, Card, CardBody, CardTitle, Gallery, Stack, StackItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  type Cluster,
  type OpenAlert,
  type Organization,
  type Project,
  useList,
  usePage,
} from '../api/resources.ts';
import { useProjectCreation } from '../api/rights.ts';
import { Problem } from '../parts/problem.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { View } from '../parts/view.tsx';
import { CreateProject } from './create-project.tsx';

/** All projects of the person by organization, with their clusters and open alerts. */
export function OverviewPage() {
  const [isCreating, setCreating] = useState(false);
  const { data, error } = useList<Organization>('/orgs');
  const organizations = data ?? [];
  const mayCreateIn = useProjectCreation();
  const open = organizations.filter(({ id }) => mayCreateIn(id));
  const { data: projects = [] } = useList<Project>('/groups');
  return (
    <View
      title="Overview"
      actions={open.length > 0 && <Button onClick={() => setCreating(true)}>Create project</Button>}
    >
      <Problem error={error} />
      {data?.length === 0 && (
        <p>You belong to no organization. The owner of an organization can invite you, or give you a role.</p>
      )}
      <Stack hasGutter>
        {organizations.map(({ id, name }) => (
          <StackItem key={id}>
            <OrganizationSection
              name={name}
              projects={projects.filter(({ orgId }) => orgId === id)}
              mayCreate={mayCreateIn(id)}
            />
          </StackItem>
        ))}
      </Stack>
      {isCreating && <CreateProject organizations={open} onClose={() => setCreating(false)} />}
    </View>
  );
}

interface OrganizationSectionProps {
  readonly name: string;
  readonly projects: readonly Project[];
  readonly mayCreate: boolean;
}

function OrganizationSection({ name, projects, mayCreate }: OrganizationSectionProps) {
  return (
    <section aria-label={name}>
      <Title headingLevel="h2">{name}</Title>
      {projects.length === 0 && (
        <p>
          {mayCreate
            ? 'This organization has no projects yet: create one to run clusters.'
            : 'You have no projects in this organization. Its owner can create one, or give you a role in one.'}
        </p>
      )}
      <Gallery hasGutter minWidths={{ default: '18rem' }}>
        {projects.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </Gallery>
    </section>
  );
}

/** Number of clusters that the card of a project lists. */
const MAX_CLUSTERS = 10;

function ProjectCard({ project: { id, name } }: { readonly project: Project }) {
  const { data } = usePage<Cluster>(`/groups/${id}/clusters`, 1, MAX_CLUSTERS);
  const { results: clusters, totalCount = 0 } = data ?? {};
  const { data: alerts = [] } = useList<OpenAlert>(`/groups/${id}/alerts?status=OPEN`);
  return (
    <Card isCompact>
      <CardTitle component="h3">
        <Link href={`/projects/${id}/clusters`}>{name}</Link>
      </CardTitle>
      <CardBody>
        {clusters?.length === 0 && <p>No clusters</p>}
        {clusters?.map((cluster) => (
          <p key={cluster.id}>
            <Link href={`/projects/${id}/clusters/${encodeURIComponent(cluster.name)}`}>{cluster.name}</Link>{' '}
            <StateLabel state={cluster.paused ? 'PAUSED' : cluster.stateName} />
          </p>
        ))}
        {totalCount > MAX_CLUSTERS && (
          <p>
            <Link href={`/projects/${id}/clusters`}>{totalCount - MAX_CLUSTERS} more</Link>
          </p>
        )}
        {alerts.length > 0 && (
          <p>
            <Link href={`/projects/${id}/alerts`}>
              {alerts.length === 1 ? '1 open alert' : `${alerts.length} open alerts`}
            </Link>
          </p>
        )}
      </CardBody>
    </Card>
  );
}
