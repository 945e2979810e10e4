/** This file defines the bounds of a page (docs/contract/api.md 4.1 PAGE). */

export const MAX_ITEMS_PER_PAGE = 500;
export const DEFAULT_ITEMS_PER_PAGE = 100;
