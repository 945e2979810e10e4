import { Button } from '@patternfly/react-core';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange } from '../../api/resources.ts';
import { InboxNote } from '../../parts/inbox-note.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { Configuration } from './model.ts';

interface TestConfigurationProps {
  /** The path of the configurations in the API. */
  readonly path: `${GroupPath}/alertConfigs`;
  readonly configuration: Configuration;
  /** Whether the button is in a row of a table. */
  readonly isInline?: boolean;
}

/** A button that sends a test notification to all recipients of an alert configuration. */
export function TestConfiguration({ path, configuration, isInline = false }: TestConfigurationProps) {
  const testing = useChange();
  return (
    <>
      <Button
        variant={isInline ? 'link' : 'secondary'}
        isInline={isInline}
        className="beside"
        {...(isInline && { 'aria-label': `Test ${configuration.eventTypeName}` })}
        isLoading={testing.isPending}
        onClick={() => testing.mutate(apiRequest('POST', `${path}/${configuration.id}/test`))}
      >
        Test
      </Button>
      {testing.isSuccess && (
        <span role="status">
          Test notifications are being sent.
          <InboxNote what="They appear" />
        </span>
      )}
      <Problem error={testing.error} />
    </>
  );
}
