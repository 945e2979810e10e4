import type { ClusterSettings } from '../model/settings.ts';

/**
 * When a body disables a setting, removes the settings that depend on it, unless the body sets these settings too. The
 * cipher list depends on the mode CUSTOM. The limits and flags of compute autoscaling depend on its main flag. `merged`
 * is `before` with the settings of the body applied.
 */
export function withoutDependentSettings(
  merged: ClusterSettings,
  named: ClusterSettings,
  before: ClusterSettings = {},
): ClusterSettings {
  return withoutLimits(withoutComputeFlags(withoutCiphers(merged, named), named), before);
}

function withoutCiphers(merged: ClusterSettings, { advancedConfiguration: named }: ClusterSettings) {
  const { advancedConfiguration } = merged;
  if (named?.tlsCipherConfigMode !== 'DEFAULT') return merged;
  const { customOpensslCipherConfigTls12 = [], customOpensslCipherConfigTls13 = [] } = named;
  return {
    ...merged,
    advancedConfiguration: {
      ...advancedConfiguration,
      customOpensslCipherConfigTls12,
      customOpensslCipherConfigTls13,
    },
  };
}

function withoutComputeFlags(merged: ClusterSettings, { autoScaling }: ClusterSettings): ClusterSettings {
  const named = autoScaling?.compute;
  if (named?.enabled !== false) return merged;
  const { predictiveEnabled = false, scaleDownEnabled = false } = named;
  const compute = { enabled: false, predictiveEnabled, scaleDownEnabled };
  return { ...merged, autoScaling: { ...merged.autoScaling, compute } };
}

/**
 * Removes limits without a value and, if autoscaling is off, limits that the request did not change. Changed limits
 * stay, so that a later check rejects them.
 */
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
