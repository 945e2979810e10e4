/** Resource versions (docs/contract/api.md 9): the release dates of the shapes, oldest first. */
export const releaseDates = [
  '2023-01-01',
  '2023-02-01',
  '2023-10-01',
  '2023-11-15',
  '2024-05-30',
  '2024-08-05',
  '2024-10-23',
  '2024-11-13',
  '2025-02-19',
  '2025-03-12',
] as const;

export type ReleaseDate = (typeof releaseDates)[number];

/** The version whose shapes the legacy path `v1.0` serves. */
export const LEGACY_VERSION: ReleaseDate = '2023-01-01';

/** The only version that the contract names; every operation exists in it. */
export const NEWEST_VERSION: ReleaseDate = '2025-03-12';
