import { Button } from '@patternfly/react-core';

interface RemoveEntryProps {
  /** What is removed, such as `role 2`. */
  readonly name: string;
  readonly onRemove: () => void;
}

/** A button that removes an entry from a list in a form. The change is saved with the form. */
export function RemoveEntry({ name, onRemove }: RemoveEntryProps) {
  return (
    <Button variant="link" isInline isDanger aria-label={`Remove ${name}`} onClick={onRemove}>
      Remove
    </Button>
  );
}
