import { Fragment, type ReactNode } from 'react';

/** Places in names, addresses and paths after which a line may end. */
const ENDS = /(?<=[_/:@?&=])(?=\w)|(?<=\.)(?=[a-z])|(?<=[a-z])(?=[A-Z])/;

/** A text whose long names break at their parts, such as `OUTSIDE_METRIC_` and `THRESHOLD`. Copies of the text do not change. */
export function breakable(text: string): ReactNode {
  const parts = text.split(ENDS);
  if (parts.length === 1) return text;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
