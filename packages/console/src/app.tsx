import { Bullseye, Spinner } from '@patternfly/react-core';
import { Route, Switch, useLocation } from 'wouter';
import { useSession } from './api/session.ts';
import { ClustersPage } from './pages/cluster/clusters.tsx';
import { AccessPage } from './pages/database-access/access.tsx';
import { LoginPage } from './pages/login.tsx';
import { MissingPage } from './pages/missing.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { later } from './parts/later.tsx';
import { Problem } from './parts/problem.tsx';
import { Shell } from './shell.tsx';

const AccountPage = later(async () => (await import('./pages/account/account.tsx')).AccountPage);
const AlertsPage = later(async () => (await import('./pages/alerts/alerts.tsx')).AlertsPage);
const EventsPage = later(async () => (await import('./pages/events.tsx')).EventsPage);
const InvitationPage = later(async () => (await import('./pages/invitation.tsx')).InvitationPage);
const LaboratoryPage = later(async () => (await import('./pages/laboratory/laboratory.tsx')).LaboratoryPage);
const OperationsPage = later(async () => (await import('./pages/operations/operations.tsx')).OperationsPage);
const RequestsPage = later(async () => (await import('./pages/requests.tsx')).RequestsPage);
const ResetPage = later(async () => (await import('./pages/reset.tsx')).ResetPage);
const TasksPage = later(async () => (await import('./pages/tasks.tsx')).TasksPage);
const BackupsPage = later(async () => (await import('./pages/backups/backups.tsx')).BackupsPage);
const ClusterPage = later(async () => (await import('./pages/cluster/cluster.tsx')).ClusterPage);
const DataPage = later(async () => (await import('./pages/data/data.tsx')).DataPage);

const OrganizationAccessPage = later(
  async () => (await import('./pages/people/organization.tsx')).OrganizationAccessPage,
);
const ProjectPeoplePage = later(async () => (await import('./pages/people/project.tsx')).ProjectPeoplePage);

const placeOf = (path: string) => path.split('/').filter(Boolean).map(decodeURIComponent);

/** The console: the login page or, for a person who is logged in, the other pages. */
export function App() {
  const { data: session, error } = useSession();
  const [location] = useLocation();
  // Links in e-mails work with and without a session.
  if (location.startsWith('/invitation')) return <InvitationPage />;
  if (location.startsWith('/reset')) return <ResetPage />;
  if (session === null) return <LoginPage />;
  if (session === undefined)
    return (
      <Bullseye>{error ? <Problem error={error} /> : <Spinner aria-label="Reading the session" />}</Bullseye>
    );
  return (
    <Shell session={session}>
      <Switch>
        <Route path="/">
          <OverviewPage isOperator={session.operator} />
        </Route>
        <Route path="/login">
          <OverviewPage isOperator={session.operator} />
        </Route>
        <Route path="/projects/:groupId/clusters">
          {({ groupId }) => <ClustersPage groupId={groupId} />}
        </Route>
        <Route path="/projects/:groupId/clusters/:name/:tab?">
          {({ groupId, name, tab }) => (
            <ClusterPage
              groupId={groupId}
              name={decodeURIComponent(name)}
              tab={tab}
              key={`${groupId} ${name}`}
            />
          )}
        </Route>
        <Route path="/projects/:groupId/data/*?">
          {({ groupId, '*': rest = '' }) => <DataPage groupId={groupId} place={placeOf(rest)} key={rest} />}
        </Route>
        <Route path="/projects/:groupId/backups/*?">
          {({ groupId, '*': rest = '' }) => (
            <BackupsPage groupId={groupId} place={placeOf(rest)} key={rest} />
          )}
        </Route>
        <Route path="/projects/:groupId/operations/*?">
          {({ groupId, '*': rest = '' }) => (
            <OperationsPage groupId={groupId} place={placeOf(rest)} key={rest} />
          )}
        </Route>
        <Route path="/organizations/:orgId/access/*?">
          {({ orgId, '*': rest = '' }) => (
            <OrganizationAccessPage orgId={orgId} place={placeOf(rest)} key={`${orgId} ${rest}`} />
          )}
        </Route>
        <Route path="/projects/:groupId/people/*?">
          {({ groupId, '*': rest = '' }) => (
            <ProjectPeoplePage groupId={groupId} place={placeOf(rest)} key={`${groupId} ${rest}`} />
          )}
        </Route>
        <Route path="/projects/:groupId/access">{({ groupId }) => <AccessPage groupId={groupId} />}</Route>
        <Route path="/projects/:groupId/alerts/*?">
          {({ groupId, '*': rest = '' }) => <AlertsPage groupId={groupId} place={placeOf(rest)} key={rest} />}
        </Route>
        <Route path="/projects/:groupId/events">{({ groupId }) => <EventsPage groupId={groupId} />}</Route>
        <Route path="/account">
          <AccountPage session={session} />
        </Route>
        <Route path="/requests/:operation?/:requestId?">
          {({ operation = '', requestId }) => (
            <RequestsPage
              isOperator={session.operator}
              operation={operation}
              requestId={requestId}
              key={`${operation} ${requestId}`}
            />
          )}
        </Route>
        <Route path="/laboratory/:tab?">
          {({ tab }) => <LaboratoryPage isOperator={session.operator} tab={tab} />}
        </Route>
        <Route path="/tasks">
          <TasksPage isOperator={session.operator} />
        </Route>
        <Route>
          <MissingPage />
        </Route>
      </Switch>
    </Shell>
  );
}
