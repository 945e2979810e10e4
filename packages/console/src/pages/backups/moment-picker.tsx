import type { Snapshot } from '../../api/resources.ts';
import { useTimeText } from '../../parts/time-text.ts';
import { TimeLine } from './time-line.tsx';

interface MomentPickerProps {
  /** The restore window, in milliseconds since 1970. */
  readonly begin: number;
  readonly end: number;
  readonly snapshots: readonly Snapshot[];
  /** The chosen moment; undefined if none is chosen yet. */
  readonly moment: number | undefined;
  readonly onPick: (moment: number) => void;
}

const SECOND_MS = 1000;
/** The number of positions of the slider. The field beside it can also contain the moments between them. */
const STEPS = 1000;

/** The restore window as a time line with its snapshots, and a slider on which the person picks a moment. */
export function MomentPicker({ begin, end, snapshots, moment, onPick }: MomentPickerProps) {
  const text = useTimeText({ dateStyle: 'medium', timeStyle: 'medium' });
  const shown = Math.min(end, Math.max(begin, moment ?? end));
  const step = Math.max(1, Math.ceil((end - begin) / SECOND_MS / STEPS)) * SECOND_MS;
  return (
    <div>
      <input
        type="range"
        className="moment-slider"
        aria-label="Point in time on the time line"
        aria-valuetext={text(shown)}
        min={begin}
        max={end}
        step={step}
        value={shown}
        onChange={({ target }) => onPick(Number(target.value))}
      />
      <TimeLine snapshots={snapshots} from={begin} to={end} />
    </div>
  );
}
