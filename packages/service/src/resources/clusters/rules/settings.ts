import type { ClusterSettings } from '../model/settings.ts';

/**
 * Ends what cannot go on beside the settings that a body names, as far as it does not name it again: the list of
 * ciphers with the mode CUSTOM, the sizes and the other switches of compute autoscaling with its main one. `merged`: the
 * settings of `before` under those that are named.
 */
export function settled(
  merged: ClusterSettings,
  named: ClusterSettings,
  before: ClusterSettings = {},
): ClusterSettings {
  return withoutLimits(withoutSwitches(withoutCiphers(merged, named), named), before);
}

function withoutCiphers(merged: ClusterSettings, { advancedConfiguration: named }: ClusterSettings) {
  const { advancedConfiguration } = merged;
  if (named?.tlsCipherConfigMode !== 'DEFAULT' || named.customOpensslCipherConfigTls12) return merged;
  return {
    ...merged,
    advancedConfiguration: { ...advancedConfiguration, customOpensslCipherConfigTls12: [] },
  };
}

function withoutSwitches(merged: ClusterSettings, { autoScaling }: ClusterSettings): ClusterSettings {
  const named = autoScaling?.compute;
  if (named?.enabled !== false) return merged;
  const { predictiveEnabled = false, scaleDownEnabled = false } = named;
  const compute = { enabled: false, predictiveEnabled, scaleDownEnabled };
  return { ...merged, autoScaling: { ...merged.autoScaling, compute } };
}

/** An empty text names no size; those that the cluster had end with its autoscaling, where others are refused. */
function withoutLimits(merged: ClusterSettings, before: ClusterSettings): ClusterSettings {
  const { computeLimits = {}, ...others } = merged;
  const isOn = merged.autoScaling?.compute?.enabled === true;
  const kept = (['maxInstanceSize', 'minInstanceSize'] as const).flatMap((name) => {
    const size = computeLimits[name];
    const ended = !isOn && size === before.computeLimits?.[name];
    return size === undefined || size === '' || ended ? [] : [[name, size]];
  });
  return kept.length === 0 ? others : { ...others, computeLimits: Object.fromEntries(kept) };
}
