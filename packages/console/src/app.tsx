import { Bullseye, Spinner } from '@patternfly/react-core';
import { Route, Switch, useLocation } from 'wouter';
import { useSession } from './api/session.ts';
import { AccessPage } from './pages/access.tsx';
import { AlertsPage } from './pages/alerts.tsx';
import { ClusterPage } from './pages/cluster.tsx';
import { ClustersPage } from './pages/clusters.tsx';
import { EventsPage } from './pages/events.tsx';
import { InvitationPage } from './pages/invitation.tsx';
import { LoginPage } from './pages/login.tsx';
import { MissingPage } from './pages/missing.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RequestsPage } from './pages/requests.tsx';
import { ResetPage } from './pages/reset.tsx';
import { TasksPage } from './pages/tasks.tsx';
import { Problem } from './parts/problem.tsx';
import { Shell } from './shell.tsx';

/** The console: the login page, or the pages for the person who is logged in. */
export function App() {
  const { data: session, error } = useSession();
  const [location] = useLocation();
  // Links of mails work with and without a session.
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
          <OverviewPage />
        </Route>
        <Route path="/login">
          <OverviewPage />
        </Route>
        <Route path="/projects/:groupId/clusters">
          {({ groupId }) => <ClustersPage groupId={groupId} />}
        </Route>
        <Route path="/projects/:groupId/clusters/:name">
          {({ groupId, name }) => (
            <ClusterPage groupId={groupId} name={decodeURIComponent(name)} key={`${groupId} ${name}`} />
          )}
        </Route>
        <Route path="/projects/:groupId/access">{({ groupId }) => <AccessPage groupId={groupId} />}</Route>
        <Route path="/projects/:groupId/alerts">{({ groupId }) => <AlertsPage groupId={groupId} />}</Route>
        <Route path="/projects/:groupId/events">{({ groupId }) => <EventsPage groupId={groupId} />}</Route>
        <Route path="/requests">
          <RequestsPage isOperator={session.operator} />
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
