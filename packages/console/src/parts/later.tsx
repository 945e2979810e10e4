import { Bullseye, Spinner } from '@patternfly/react-core';
import { type ComponentType, lazy, Suspense } from 'react';

/** Returns a component that is loaded when it is first displayed, so that the first page stays small. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Later(props: P) {
    return (
      <Suspense
        fallback={
          <Bullseye>
            <Spinner aria-label="Reading the page" />
          </Bullseye>
        }
      >
        <Loaded {...props} />
      </Suspense>
    );
  };
}
