import { changesIn, durationOf, durationText, type Read, type ReadLog, windowOf } from './read-log.ts';

const WIDTH = 1000;
const HEIGHT = 100;
/** The smallest bar. On a phone, its width is about two pixels. */
const MIN_WIDTH = 6;
const MIN_HEIGHT = 8;
/** The scale ends at this duration if all reads are faster. */
const MIN_SCALE_MS = 100;

interface ReadChartProps {
  readonly log: ReadLog;
  /** The content of the chart as text. */
  readonly text: string;
}

/** Each read as a bar on a time axis. The text and the table beside the chart contain the same for screen readers. */
export function ReadChart({ log, text }: ReadChartProps) {
  const [from, to] = windowOf(log.reads);
  const reads = log.reads.filter(({ end }) => end >= from);
  const scale = Math.max(MIN_SCALE_MS, ...reads.map(durationOf));
  const x = (at: number) => ((Math.max(at, from) - from) / (to - from)) * WIDTH;
  const changes = changesIn(log).filter((at) => at >= from && at <= to);
  return (
    <figure className="gap" aria-label="Reads">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="reads"
        preserveAspectRatio="none"
        role="img"
        aria-label={text}
      >
        {reads.map((read) => (
          <Bar key={read.start} read={read} x={x} scale={scale} />
        ))}
        {changes.map((at) => (
          <line key={at} className="primary-change" x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} />
        ))}
      </svg>
      <figcaption>
        <small>
          <span className="mark successful" /> successful read <span className="mark failed" /> failed read
          (full height) <span className="mark primary-change" /> another primary. Height: up to{' '}
          {durationText(scale)}. Width: one minute.
        </small>
      </figcaption>
    </figure>
  );
}

interface BarProps {
  readonly read: Read;
  readonly x: (at: number) => number;
  readonly scale: number;
}

/** The bar of a read. The bar of a failed read has the full height, so that failed reads differ not only in color. */
function Bar({ read, x, scale }: BarProps) {
  const isFailed = read.error !== undefined;
  const height = isFailed ? HEIGHT : Math.max(MIN_HEIGHT, (durationOf(read) / scale) * HEIGHT);
  return (
    <rect
      className={isFailed ? 'failed' : 'successful'}
      x={x(read.start)}
      y={HEIGHT - height}
      width={Math.max(MIN_WIDTH, x(read.end) - x(read.start))}
      height={height}
    />
  );
}
