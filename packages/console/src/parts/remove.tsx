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
  /** The text of the button that keeps the thing. */
  readonly dismissal?: string;
  /** Whether the button has the shape of the buttons of forms, and not that of the links in tables. */
  readonly isSolid?: boolean;
  readonly onDone?: () => void;
}

/** A button that removes something once the user has confirmed it. */
export function Remove(props: RemoveProps) {
  const { name, change, consequence, action = 'Delete', dismissal, isSolid = false, onDone } = props;
  const [isAsking, setAsking] = useState(false);
  const removal = useChange(() => {
    setAsking(false);
    onDone?.();
  });
  return (
    <>
      <Button
        {...(isSolid ? { variant: 'danger' } : { variant: 'link', isInline: true, isDanger: true })}
        className="beside"
        aria-label={`${action} ${name}`}
        onClick={() => setAsking(true)}
      >
        {isSolid ? `${action} ${name}` : action}
      </Button>
      {isAsking && (
        <FormDialog
          title={`${action} ${name}?`}
          action={action}
          {...(dismissal !== undefined && { dismissal })}
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
