/** This file contains GeoJSON geometries for tests. */

export const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
export const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
export const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates });
export const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates });
export const ten = polygon(square(0, 0, 10));
export const holed = polygon(square(0, 0, 10), square(4, 4, 2));
export const strict = {
  type: 'name',
  properties: { name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326' },
};
