import { Fragment, type ReactNode } from 'react';

/** Places in names, addresses and paths after which a line may end. */
const ENDS = /(?<=[_/:@?&=])(?=\w)|(?<=\.)(?=[a-z])|(?<=[a-z])(?=[A-Z])/;

/**
 * Lets lines end inside long names, for example between `OUTSIDE_METRIC_` and `THRESHOLD`. Adds no characters, so that
 * people can copy the text.
 */
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
