import type { Snapshot } from '../../api/resources.ts';
import { useTimeText } from '../../parts/time-text.ts';

/** The space at both ends of the axis, in percent of its length. */
const MARGIN = 2;
const RADIUS = 6;

interface TimeLineProps {
  readonly snapshots: readonly Snapshot[];
  /** The displayed period, in milliseconds since 1970; by default, from the first to the last snapshot. */
  readonly from?: number;
  readonly to?: number;
}

/** Snapshots on a time axis. The table of snapshots contains the same as text. */
export function TimeLine({ snapshots, from, to }: TimeLineProps) {
  const day = useTimeText({ dateStyle: 'medium', timeStyle: 'short' });
  const taken = snapshots.flatMap(({ id, createdAt }) =>
    createdAt === undefined ? [] : [{ id, at: Date.parse(createdAt) }],
  );
  const times = taken.map(({ at }) => at);
  const [first, last] = [from ?? Math.min(...times), to ?? Math.max(...times)];
  if (from === undefined && taken.length < 2) return null;
  const x = (at: number) => `${MARGIN + ((at - first) / Math.max(1, last - first)) * (100 - 2 * MARGIN)}%`;
  return (
    <figure className="gap" aria-hidden>
      <svg className="time-line">
        <title>Snapshots on a time line</title>
        <line x1={`${MARGIN}%`} x2={`${100 - MARGIN}%`} y1="50%" y2="50%" />
        {taken
          .filter(({ at }) => at >= first && at <= last)
          .map(({ id, at }) => (
            <circle key={id} cx={x(at)} cy="50%" r={RADIUS}>
              <title>{day(at)}</title>
            </circle>
          ))}
      </svg>
      <figcaption className="ends">
        <span>{day(first)}</span>
        <span>{day(last)}</span>
      </figcaption>
    </figure>
  );
}
