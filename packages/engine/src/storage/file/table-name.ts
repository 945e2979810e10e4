/**
 * Returns the table of a collection. Numbers of committed collections are never reused, so a prepared statement cannot
 * read another collection's table.
 */
export function tableName(number: number): string {
  return `c_${number}`;
}
