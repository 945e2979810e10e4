import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Copied } from './copied.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** The texts to copy, each with its label. */
  readonly texts: readonly (readonly [label: string, text: string])[];
  /** How the secret is used. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret that the service returns only once. */
export function SecretDialog({ title, texts, children, onClose }: SecretDialogProps) {
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="secret-title">
      <ModalHeader title={title} labelId="secret-title" />
      <ModalBody>
        <Alert isInline variant="warning" title="Copy the secret now: it is not shown again." />
        {texts.map(([label, text]) => (
          <div key={label} className="gap">
            <strong className="first-capital">{label}</strong>
            <Copied label={label} text={text} />
          </div>
        ))}
        {children}
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>Done</Button>
      </ModalFooter>
    </Modal>
  );
}
