/** The number of a collection that was committed is never given again, so no statement meets another's table. */
export function tableName(number: number): string {
  return `c_${number}`;
}
