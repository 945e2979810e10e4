import { Component, type ReactNode } from 'react';
import { Problem } from './problem.tsx';

interface State {
  readonly error?: Error;
}

/** Displays the error of a page that cannot be rendered. The navigation stays usable. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Problem error={error} />;
  }
}
