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
  if (!may.isKnown) return null;
  const needed = roles.length === 1 ? 'the role' : 'one of these roles in the project:';
  return (
    <p className="gap">
      This requires {needed} {rolesText(roles)}
      {roles.length === 1 && ' in the project'}.
    </p>
  );
}
