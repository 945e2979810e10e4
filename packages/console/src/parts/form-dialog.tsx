import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import type { FormEvent, ReactNode } from 'react';
import type { Attempt } from './attempt.ts';
import { Problem } from './problem.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  /** The text of the button that closes the dialog without a change. */
  readonly dismissal?: string;
  readonly variant?: 'danger' | 'primary';
  readonly isReady?: boolean;
  /** The change that the form requests; absent if it requests none. */
  readonly attempt?: Attempt;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const FIELDS = '#dialog-form :is(input, select, textarea):enabled';

/** The first field of the form; if it has none, the button that closes the dialog. */
const FIRST = `${FIELDS}, [role="dialog"]:not(:has(${FIELDS})) button`;

/** A dialog with a form: Enter sends it, Escape closes it. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, dismissal = 'Cancel', variant = 'primary', isReady = true } = props;
  const { attempt, children } = props;
  const isBusy = attempt?.isPending ?? false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) props.onSubmit();
  };
  return (
    <Modal
      isOpen
      variant="small"
      onClose={props.onClose}
      aria-labelledby="dialog-title"
      elementToFocus={FIRST}
    >
      <ModalHeader title={title} labelId="dialog-title" />
      <ModalBody>
        <Form id="dialog-form" onSubmit={submit}>
          <Problem error={attempt?.error} />
          {children}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button form="dialog-form" type="submit" variant={variant} isDisabled={!isReady} isLoading={isBusy}>
          {action}
        </Button>
        <Button variant="link" onClick={props.onClose}>
          {dismissal}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
