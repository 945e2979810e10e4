import type { ReactNode } from 'react';
import type { May } from '../api/rights.ts';
import { rolesText } from '../api/roles.ts';

interface RestrictedProps {
  readonly may: May;
  /** The person needs one of these roles. */
  readonly roles: readonly string[];
  /** Called only for people who have the role, since the service would reject the requests of the content. */
  readonly children: () => ReactNode;
}

/** Content for people with a role. Other people see which role they need. */
export function Restricted({ may, roles, children }: RestrictedProps) {
  if (roles.some(may)) return children();
  return may.isKnown ? <p>This requires one of these roles in the project: {rolesText(roles)}.</p> : null;
}
