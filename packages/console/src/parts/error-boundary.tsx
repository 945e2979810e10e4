import { Alert, AlertActionLink, Modal, ModalBody } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** The region as the subject of a sentence, such as “The page”. */
  readonly name: string;
  /** Closes the region, if it is a dialog. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

interface State {
  readonly error?: Error | undefined;
}

/**
 * Displays the error of a region that cannot be rendered, in place of the region. The other regions stay usable.
 * Without a boundary, React removes the whole page.
 */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  const queries = useQueryClient();
  // Remove the data that only the region used, since it may have caused the error.
  return <Boundary {...props} onError={() => queries.removeQueries({ type: 'inactive' })} />;
}

class Boundary extends Component<ErrorBoundaryProps & { readonly onError: () => void }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  /** React calls this after it has removed the region. */
  override componentDidCatch(): void {
    this.props.onError();
  }

  override render(): ReactNode {
    const { name, onClose, children } = this.props;
    const { error } = this.state;
    if (error === undefined) return children;
    const problem = (
      <Alert
        isInline
        variant="danger"
        title={`${name} cannot be displayed.`}
        actionLinks={
          <>
            <AlertActionLink onClick={() => this.setState({ error: undefined })}>Try again</AlertActionLink>
            {/* If a file of the console did not load, the browser tries again only after a reload of the page. */}
            <AlertActionLink onClick={() => location.reload()}>Reload the console</AlertActionLink>
          </>
        }
      >
        {error.message}
      </Alert>
    );
    if (onClose === undefined) return problem;
    return (
      <Modal isOpen variant="small" position="top" onClose={onClose} aria-label={name}>
        <ModalBody>{problem}</ModalBody>
      </Modal>
    );
  }
}
