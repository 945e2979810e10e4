/** The BSON types by name. The names are those that the server uses in messages and in `$type`. */
export const bsonTypes = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  dbPointer: 0x0c,
  javascript: 0x0d,
  symbol: 0x0e,
  javascriptWithScope: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const;

export type TypeName = keyof typeof bsonTypes;

const names = new Map<number, TypeName>();
for (const [name, code] of Object.entries(bsonTypes)) names.set(code, name as TypeName);

/** Returns the name of a type byte, or `missing` if there is no value. */
export function typeName(type: number | undefined): TypeName | 'missing' {
  return (type !== undefined && names.get(type)) || 'missing';
}

export function isNumberType(type: number): boolean {
  return (
    type === bsonTypes.int ||
    type === bsonTypes.double ||
    type === bsonTypes.long ||
    type === bsonTypes.decimal
  );
}

/** The order in which types compare. Types of equal rank compare by value. A missing field sorts as null. */
const ranks: Readonly<Record<TypeName, number>> = {
  minKey: 1,
  undefined: 2,
  null: 3,
  double: 4,
  int: 4,
  long: 4,
  decimal: 4,
  string: 5,
  symbol: 5,
  object: 6,
  array: 7,
  binData: 8,
  objectId: 9,
  bool: 10,
  date: 11,
  timestamp: 12,
  regex: 13,
  dbPointer: 14,
  javascript: 15,
  javascriptWithScope: 16,
  maxKey: 17,
};

const rankOfByte = new Uint8Array(256);
for (const [name, code] of Object.entries(bsonTypes)) rankOfByte[code] = ranks[name as TypeName];

/** Returns the rank of a type, from 1 (MinKey) to 17 (MaxKey). */
export function rankOf(type: number): number {
  return rankOfByte[type] as number;
}
