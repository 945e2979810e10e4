const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A date in the time zone of the reader. The tooltip has it in UTC. */
export function Moment({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {local.format(new Date(at))}
    </time>
  );
}
