import type { Command } from '../context/command.ts';
import { shardKeyAnalysisCommands } from './analyze-shard-key.ts';
import { balancerCommands } from './balancer.ts';
import { chunkCommands } from './chunk-commands.ts';
import { shardListCommands } from './list.ts';
import { queryAnalyzerCommands } from './query-analyzer.ts';
import { shardCollectionCommands } from './shard-collection.ts';
import { zoneCommands } from './zones.ts';

export { forgetSharded } from './sharded.ts';
export { recordShards } from './shards.ts';

/** Commands that concern sharding. Some of them exist on replica sets, too. */
export const shardingCommands: readonly Command[] = [
  ...shardListCommands,
  ...shardCollectionCommands,
  ...chunkCommands,
  ...balancerCommands,
  ...zoneCommands,
  ...queryAnalyzerCommands,
  ...shardKeyAnalysisCommands,
];
