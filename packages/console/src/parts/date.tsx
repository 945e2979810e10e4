const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A date in the time zone of the reader. The tooltip has it in UTC. */
export function Moment({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <time dateTime={at} title={`${at} (UTC)`} className="moment">
      <span>{days.format(new Date(at))},</span> <span>{times.format(new Date(at))}</span>
    </time>
  );
}
