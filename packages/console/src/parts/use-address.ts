import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { pathIn, type Values, valuesIn, withValues } from './address.ts';
import { Listeners } from './listeners.ts';

const { subscribe, notify } = new Listeners('hashchange');

const currentAddress = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;

/** The location hook of the router, which sees only the path of the address. */
export function usePath(): [string, typeof navigate] {
  return [useSyncExternalStore(subscribe, () => pathIn(currentAddress())), navigate];
}

/** Returns the link to a path. */
usePath.hrefs = (path: string): string => `#${path}`;

/** Whether a change adds an entry to the history of the browser, so that the button Back undoes the change. */
type Mode = 'push' | 'replace';

/**
 * Keeps values in the address of the page, so that the address leads to the same view. Do not use it for secrets, since
 * browsers keep addresses. The hooks of wouter use the query of the URL instead, which browsers send to the service.
 */
export function useAddressValues<T extends Values>(
  defaults: T,
): readonly [T, (change: Partial<T>, mode?: Mode) => void] {
  const address = useSyncExternalStore(subscribe, currentAddress);
  const set = (change: Partial<T>, mode: Mode = 'replace') => {
    const values = { ...valuesIn(currentAddress(), defaults), ...change };
    show(withValues(currentAddress(), values, defaults), mode);
  };
  return [valuesIn(address, defaults), set];
}

function show(address: string, mode: Mode): void {
  if (address === currentAddress()) return;
  const url = new URL(location.href);
  url.hash = address;
  history[mode === 'push' ? 'pushState' : 'replaceState'](null, '', url);
  notify();
}
