import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { ChangeRequest } from '../api/requests.ts';
import { useChange } from '../api/resources.ts';
import { FormDialog } from './form-dialog.tsx';

interface RemoveProps {
  readonly name: string;
  readonly change: ChangeRequest;
  /** The consequence of the removal, as a sentence for the user. */
  readonly consequence: string;
  readonly action?: string;
  readonly onDone?: () => void;
}

/** A button that removes something once the user has confirmed it. */
export function Remove({ name, change, consequence, action = 'Delete', onDone }: RemoveProps) {
  const [isAsking, setAsking] = useState(false);
  const removal = useChange(() => {
    setAsking(false);
    onDone?.();
  });
  return (
    <>
      <Button
        variant="link"
        isInline
        isDanger
        className="beside"
        aria-label={`${action} ${name}`}
        onClick={() => setAsking(true)}
      >
        {action}
      </Button>
      {isAsking && (
        <FormDialog
          title={`${action} ${name}?`}
          action={action}
          variant="danger"
          attempt={removal}
          onSubmit={() => removal.mutate(change)}
          onClose={() => setAsking(false)}
        >
          <p>{consequence}</p>
        </FormDialog>
      )}
    </>
  );
}
