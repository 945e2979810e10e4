export const tag = 'Service Accounts';

/** Service accounts came with this version; before it there were API keys alone. */
export const versions = { '2024-08-05': 'same', '2025-03-12': 'same' } as const;
