import { useSyncExternalStore } from 'react';
import { Listeners } from './listeners.ts';

/** The key under which the browser stores that the user wants times in UTC. */
const KEY = 'times-in-utc';

/** Other tabs of the console change the same choice, which causes the event `storage`. */
const { subscribe, notify } = new Listeners('storage');

const isUtc = (): boolean => localStorage.getItem(KEY) !== null;

/** Whether the console shows times in UTC. By default, it shows them in the time zone of the browser. */
export const useUtc = (): boolean => useSyncExternalStore(subscribe, isUtc);

/** Shows the times of all pages in UTC, or in the time zone of the browser. */
export function showUtc(wanted: boolean): void {
  if (wanted) localStorage.setItem(KEY, '');
  else localStorage.removeItem(KEY);
  notify();
}

type TimeStyle = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/** Creating a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(style: TimeStyle, utc: boolean): Intl.DateTimeFormat {
  const name = `${style.dateStyle} ${style.timeStyle} ${utc}`;
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, utc ? { ...style, timeZone: 'UTC' } : style);
    formats.set(name, format);
  }
  return format;
}

/** Returns a function that formats a time, given in milliseconds since 1970, in the time zone that the user has chosen. */
export function useTimeText(style: TimeStyle): (at: number) => string {
  const utc = useUtc();
  const suffix = utc && style.timeStyle !== undefined ? ' UTC' : '';
  return (at) => `${formatOf(style, utc).format(at)}${suffix}`;
}
