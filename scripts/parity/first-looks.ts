import { cli, provider } from './sources.ts';

/**
 * The score of each set of recordings when it was compared for the first time, before anybody looked at its
 * differences. Later scores of the same recordings also contain corrections for these differences.
 */
export const firstLooks = [
  {
    recordings: 'Atlas CLI, a third of the operations, chosen by a hash of their path',
    repository: cli,
    commit: '8ddea41a82ec904146d5f1b8d6578acedcc4a3a6',
    score: { pairs: 53, status: 49, complete: 48, identical: 44 },
  },
  {
    recordings: 'Terraform provider',
    repository: provider,
    commit: '468253dbf681e3de490d5c8c1fced537a66e2ae9',
    score: { pairs: 12, status: 6, complete: 3, identical: 2 },
  },
  {
    recordings: 'Atlas CLI, pairs that the commit above lacks',
    repository: cli,
    commit: '1936ed08fa73cebfdf9bc53ecdfd09a00c4dbf19',
    score: { pairs: 7, status: 5, complete: 1, identical: 1 },
  },
  {
    recordings: 'Atlas CLI, pairs that the commits above lack',
    repository: cli,
    commit: 'df76ea38011c06a839ac303cc7ac101c7a8d11c2',
    score: { pairs: 1, status: 1, complete: 1, identical: 1 },
  },
  {
    recordings: 'Terraform provider, pairs that the commit above lacks',
    repository: provider,
    commit: '09847fcc338c8a1b1a5ab1fc4e5570eb1e0d70d6',
    score: { pairs: 13, status: 11, complete: 10, identical: 9 },
  },
] as const;
