import type { ReactNode } from 'react';
import type { May } from '../api/rights.ts';
import { neededText } from '../api/roles.ts';

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
  return <p className="gap">This requires {neededText(roles)}.</p>;
}

interface MissingRoleProps {
  readonly may: May;
  readonly roles: readonly string[];
  /** What the roles allow, such as `create clusters`. */
  readonly to: string;
}

/** Says which role is missing, to people for whom the page omits buttons. */
export function MissingRole({ may, roles, to }: MissingRoleProps) {
  if (!may.isKnown || roles.some(may)) return null;
  return (
    <p className="gap">
      To {to}, you need {neededText(roles)}.
    </p>
  );
}
