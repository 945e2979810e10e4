import { Button, Card, CardBody, CardTitle, Gallery, Stack, StackItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Project, useList, useOperatorList, usePage } from '../api/resources.ts';
import { useProjectCreation } from '../api/rights.ts';
import { Moment } from '../parts/date.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { TaskProgress } from '../parts/task-progress.tsx';
import { View } from '../parts/view.tsx';
import { CreateProject } from './create-project.tsx';

/** All projects of the person by organization, with their clusters, open alerts and latest events. */
export function OverviewPage({ isOperator }: { readonly isOperator: boolean }) {
  const [isCreating, setCreating] = useState(false);
  const { data, error } = useList('/orgs');
  const organizations = data ?? [];
  const mayCreateIn = useProjectCreation();
  const open = organizations.filter(({ id }) => mayCreateIn(id));
  const { data: projects = [] } = useList('/groups');
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
              showsEvents={projects.length <= MAX_WITH_EVENTS}
            />
          </StackItem>
        ))}
      </Stack>
      {isOperator && <RunningTasks />}
      {isCreating && <CreateProject organizations={open} onClose={() => setCreating(false)} />}
    </View>
  );
}

/** With more projects than this, the page does not read the events of each project. */
const MAX_WITH_EVENTS = 10;

interface OrganizationSectionProps {
  readonly name: string;
  readonly projects: readonly Project[];
  readonly mayCreate: boolean;
  readonly showsEvents: boolean;
}

function OrganizationSection({ name, projects, mayCreate, showsEvents }: OrganizationSectionProps) {
  return (
    <section aria-label={name}>
      <Title headingLevel="h2" className="gap">
        {name}
      </Title>
      {projects.length === 0 && (
        <p>
          {mayCreate
            ? 'This organization has no projects yet: create one to run clusters.'
            : 'You have no projects in this organization. Its owner can create one, or give you a role in one.'}
        </p>
      )}
      <Gallery hasGutter minWidths={{ default: '18rem' }}>
        {projects.map((project) => (
          <ProjectCard key={project.id} project={project} showsEvents={showsEvents} />
        ))}
      </Gallery>
    </section>
  );
}

/** Number of clusters that the card of a project lists. */
const MAX_CLUSTERS = 10;

interface ProjectCardProps {
  readonly project: Project;
  readonly showsEvents: boolean;
}

function ProjectCard({ project: { id, name }, showsEvents }: ProjectCardProps) {
  const { data } = usePage(`/groups/${id}/clusters`, 1, MAX_CLUSTERS);
  const { results: clusters, totalCount = 0 } = data ?? {};
  const { data: alerts = [] } = useList(`/groups/${id}/alerts?status=OPEN`);
  return (
    <Card isCompact>
      <CardTitle component="h3">
        <Link href={`/projects/${id}/clusters`}>{name}</Link>
      </CardTitle>
      <CardBody>
        {clusters?.length === 0 && (
          <p>
            No clusters: <Link href={`/projects/${id}/clusters`}>create one</Link>
          </p>
        )}
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
        {showsEvents && <LatestEvents groupId={id} />}
      </CardBody>
    </Card>
  );
}

/** Number of events that the card of a project lists. */
const MAX_EVENTS = 3;

function LatestEvents({ groupId }: { readonly groupId: string }) {
  const { data } = usePage(`/groups/${groupId}/events`, 1, MAX_EVENTS);
  if (data === undefined || data.results.length === 0) return null;
  return (
    <>
      <Title headingLevel="h4" size="md" className="gap">
        <Link href={`/projects/${groupId}/events`}>Latest events</Link>
      </Title>
      {data.results.map(({ id, created, eventTypeName, clusterName }) => (
        <p key={id} className="copied">
          <Moment at={created} /> {[eventTypeName, clusterName].filter(Boolean).join(' ')}
        </p>
      ))}
    </>
  );
}

/** Number of tasks that the page lists. */
const MAX_TASKS = 5;

/** What the service is doing now. Tasks that start later are not listed. */
function RunningTasks() {
  const { data = [] } = useOperatorList('/tasks?itemsPerPage=500');
  const running = data.filter(({ state }) => state !== 'SCHEDULED' && state !== 'FAILED');
  return (
    <section aria-label="Running tasks" className="gap">
      <Title headingLevel="h2" className="gap">
        <Link href="/tasks">Running tasks</Link>
      </Title>
      {running.length === 0 && <p>Nothing is running.</p>}
      {running.slice(0, MAX_TASKS).map((task) => (
        <div key={task.id}>
          {[task.kind, task.step].filter(Boolean).join(': ')} <TaskProgress task={task} />
        </div>
      ))}
      {running.length > MAX_TASKS && <p>{running.length - MAX_TASKS} more</p>}
    </section>
  );
}
