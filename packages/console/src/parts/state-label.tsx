import { Label, type LabelProps } from '@patternfly/react-core';

const colors: Readonly<Record<string, LabelProps['status']>> = {
  IDLE: 'success',
  completed: 'success',
  CREATING: 'info',
  UPDATING: 'info',
  RUNNING: 'info',
  inProgress: 'info',
  queued: 'info',
  REPAIRING: 'warning',
  WAITING: 'warning',
  DELETING: 'warning',
  OPEN: 'danger',
  FAILED: 'danger',
  Failed: 'danger',
  InProgress: 'info',
  Queued: 'info',
  Successful: 'success',
  APPLIED: 'success',
  APPLYING: 'info',
  READY: 'success',
  COMPLETE: 'success',
  SIMULATING: 'danger',
  BUILDING: 'info',
  PENDING: 'info',
  failed: 'danger',
};

/** A state in its usual color, and as text for people who cannot see the color. */
export function StateLabel({ state }: { readonly state: string }) {
  const status = colors[state];
  return (
    <Label isCompact {...(status === undefined ? { color: 'grey' } : { status })}>
      {state}
    </Label>
  );
}
