/** Numbers of committed collections are never reused, so no statement reads the table of another collection. */
export function tableName(number: number): string {
  return `c_${number}`;
}
