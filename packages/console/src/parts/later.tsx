import { Bullseye, Spinner } from '@patternfly/react-core';
import { type ComponentType, lazy, Suspense } from 'react';

/** Pages that are loaded when they are first shown: the first page must stay small. */

let styles: Promise<void> | undefined;

/** Loads the style sheet of these pages; its name is in the document. */
function loadStyles(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = document.querySelector<HTMLMetaElement>('meta[name="later-styles"]')?.content ?? '';
    sheet.addEventListener('load', () => resolve());
    sheet.addEventListener('error', () => reject(new Error('The styles of the page could not be read.')));
    document.head.append(sheet);
  });
  return styles;
}

/** A component that is loaded when it is first shown. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => {
    const [component] = await Promise.all([load(), loadStyles()]);
    return { default: component };
  });
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
