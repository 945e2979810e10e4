import { useTimeText } from './time-text.ts';

/** A date in the time zone that the user has chosen. The tooltip has it in UTC. */
export function Moment({ at }: { readonly at: string | undefined }) {
  const day = useTimeText({ dateStyle: 'medium' });
  const time = useTimeText({ timeStyle: 'medium' });
  if (at === undefined) return null;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${at} (UTC)`} className="moment">
      <span>{day(ms)},</span> <span>{time(ms)}</span>
    </time>
  );
}
