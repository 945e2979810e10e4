import type { ComponentProps } from 'react';
import { useLocation } from 'wouter';
import type { May } from '../../api/rights.ts';
import { MissingRole } from '../../parts/restricted.tsx';
import { TabView } from '../../parts/tab-view.tsx';
import type { AccessPlace } from './place.ts';

interface AccessTabsProps extends Pick<ComponentProps<typeof TabView>, 'active' | 'tabs'> {
  readonly place: AccessPlace;
  readonly may: May;
  /** The role of the people who may change what the tabs show. */
  readonly owner: string;
}

/** The kinds of access to a project or an organization. */
export function AccessTabs({ place, may, owner, active, tabs }: AccessTabsProps) {
  const [, go] = useLocation();
  return (
    <>
      <MissingRole may={may} roles={[owner]} to="change people, teams, keys and service accounts" />
      <TabView
        label="Kinds of access"
        active={active}
        onSelect={(key) => go(`${place.address}/${key}`)}
        tabs={tabs}
      />
    </>
  );
}
