import type { Snapshot } from '../../api/resources.ts';

const HEIGHT = 36;
const WIDTH = 1000;
const MARGIN = 10;
const RADIUS = 6;

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Snapshots on a time axis. The table beside it contains the same as text. */
export function TimeLine({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const taken = snapshots.flatMap(({ id, createdAt }) =>
    createdAt === undefined ? [] : [{ id, at: Date.parse(createdAt) }],
  );
  if (taken.length < 2) return null;
  const times = taken.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (at: number) => MARGIN + ((at - first) / Math.max(1, last - first)) * (WIDTH - 2 * MARGIN);
  return (
    <figure className="gap" aria-hidden>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="time-line" preserveAspectRatio="none">
        <title>Snapshots on a time line</title>
        <line x1={MARGIN} x2={WIDTH - MARGIN} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {taken.map(({ id, at }) => (
          <ellipse key={id} cx={x(at)} cy={HEIGHT / 2} rx={RADIUS} ry={RADIUS}>
            <title>{day.format(at)}</title>
          </ellipse>
        ))}
      </svg>
      <figcaption className="ends">
        <span>{day.format(first)}</span>
        <span>{day.format(last)}</span>
      </figcaption>
    </figure>
  );
}
