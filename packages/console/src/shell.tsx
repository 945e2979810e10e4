import {
  Button,
  Masthead,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  Nav,
  NavGroup,
  NavItem,
  NavList,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
  Switch,
  Title,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useLiveUpdates } from './api/live.ts';
import { useList } from './api/resources.ts';
import type { Session } from './api/session.ts';
import { operatorPages, projectPages } from './navigation.ts';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { later } from './parts/later.tsx';
import { LogOut } from './parts/log-out.tsx';
import { showUtc, useUtc } from './parts/time-text.ts';

const MAIN = 'main-content';

const Palette = later(async () => (await import('./palette.tsx')).Palette);

/** The frame of every page: title, person, and navigation. */
export function Shell({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  // The navigation is initially closed on a phone, where it would cover the page.
  const [location] = useLocation();
  const [isSearching, setSearching] = useState(false);
  useSearchKey(() => setSearching(true));
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 75rem)').matches);
  return (
    <Page
      mainContainerId={MAIN}
      skipToContent={<SkipToContent href={`#${MAIN}`}>Skip to content</SkipToContent>}
      masthead={
        <ErrorBoundary name="The header">
          <Header
            session={session}
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            onSearch={() => setSearching(true)}
          />
        </ErrorBoundary>
      }
      sidebar={
        <PageSidebar isSidebarOpen={isOpen}>
          <PageSidebarBody>
            <ErrorBoundary name="The navigation">
              <Navigation isOperator={session.operator} />
            </ErrorBoundary>
            <TimeZoneSwitch />
          </PageSidebarBody>
        </PageSidebar>
      }
    >
      <ErrorBoundary name="The page" key={location}>
        {children}
      </ErrorBoundary>
      {isSearching && (
        <ErrorBoundary name="The search" onClose={() => setSearching(false)}>
          <Palette isOperator={session.operator} onClose={() => setSearching(false)} />
        </ErrorBoundary>
      )}
    </Page>
  );
}

/** Calls `onPressed` for Ctrl+K, and on a Mac also for Cmd+K. */
function useSearchKey(onPressed: () => void): void {
  const latest = useRef(onPressed);
  latest.current = onPressed;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function TimeZoneSwitch() {
  const isUtc = useUtc();
  return (
    <div className="times">
      <Switch
        id="times-in-utc"
        label="Times in UTC"
        isChecked={isUtc}
        onChange={(_event, wanted) => showUtc(wanted)}
      />
    </div>
  );
}

interface HeaderProps {
  readonly session: Session;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSearch: () => void;
}

function Header({ session, isOpen, onToggle, onSearch }: HeaderProps) {
  const { firstName, lastName } = session.user;
  return (
    <Masthead display={{ default: 'inline' }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            isHamburgerButton
            aria-label="Navigation"
            isSidebarOpen={isOpen}
            onSidebarToggle={onToggle}
          />
        </MastheadToggle>
        <Title headingLevel="h2" size="lg" className="title">
          <Link href="/">Portolan</Link>
        </Title>
      </MastheadMain>
      <MastheadContent>
        <Toolbar>
          <ToolbarContent>
            <ToolbarItem align={{ default: 'alignEnd' }} alignSelf="center" className="name">
              <Link href="/account">{`${firstName} ${lastName}`}</Link>
            </ToolbarItem>
            <ToolbarItem>
              <Button variant="secondary" onClick={onSearch} aria-keyshortcuts="Control+K">
                Go to…
              </Button>
            </ToolbarItem>
            <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
              <LogOut />
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}

function Navigation({ isOperator }: { readonly isOperator: boolean }) {
  const { data: projects = [] } = useList('/groups');
  const { data: organizations = [] } = useList('/orgs');
  useLiveUpdates(organizations);
  return (
    <Nav aria-label="Pages">
      <NavList>
        <Entry to="/" title="Overview" />
      </NavList>
      {projects.map(({ id, name }) => (
        <NavGroup key={id} title={name}>
          {projectPages.map(([page, title]) => (
            <Entry key={page} to={`/projects/${id}/${page}`} title={title} />
          ))}
        </NavGroup>
      ))}
      {organizations.map(({ id, name }) => (
        <NavGroup key={id} title={name}>
          <Entry to={`/organizations/${id}/access`} title="Organization access" />
        </NavGroup>
      ))}
      {isOperator && (
        <NavGroup title="Operator">
          {operatorPages.map(([to, title]) => (
            <Entry key={to} to={to} title={title} />
          ))}
        </NavGroup>
      )}
    </Nav>
  );
}

function Entry({ to, title }: { readonly to: string; readonly title: string }) {
  const [location] = useLocation();
  const isActive = to === '/' ? location === '/' : location.startsWith(to);
  return (
    <NavItem isActive={isActive} to={`#${to}`}>
      {title}
    </NavItem>
  );
}
