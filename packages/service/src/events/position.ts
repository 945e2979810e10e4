/**
 * How far somebody has read the events of an organization: for each shard, the number of the last event. Events of a
 * shard become visible in the order of their numbers (see `shardsOf`), so a reader at a position misses none. Dates are
 * not in this order: service time can stand still, and an event with an earlier date can be committed later.
 */
export type Position = ReadonlyMap<number, number>;

/** The place of an event among the events of its organization. */
export interface EventNumber {
  readonly shard: number;
  readonly number: number;
}

/** The events of one shard after the number `after`, up to the number `through`. */
export interface NumberRange {
  readonly shard: number;
  readonly after: number;
  readonly through: number;
}

/**
 * Returns the events between two positions. Undefined if the first position is after the second one in a
 * shard.
 */
export function rangesBetween(from: Position, to: Position): NumberRange[] | undefined {
  for (const [shard, number] of from) if (number > (to.get(shard) ?? 0)) return undefined;
  return [...to]
    .map(([shard, through]) => ({ shard, after: from.get(shard) ?? 0, through }))
    .filter(({ after, through }) => after < through);
}

/** Returns the number of events in ranges. */
export const sizeOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, { after, through }) => sum + through - after, 0);

/** Returns a position as text: the numbers of all shards, in base 36. */
export function positionText(position: Position): string {
  const shards = Math.max(-1, ...position.keys()) + 1;
  return Array.from({ length: shards }, (_, shard) => (position.get(shard) ?? 0).toString(36)).join('-');
}

/** Parses the text of a position. Returns undefined if the text is not a position. */
export function parsePosition(text: string): Position | undefined {
  if (!/^(?:[0-9a-z]{1,10}(?:-[0-9a-z]{1,10}){0,63})?$/.test(text)) return undefined;
  const numbers = text === '' ? [] : text.split('-');
  return new Map(numbers.map((number, shard) => [shard, Number.parseInt(number, 36)]));
}
