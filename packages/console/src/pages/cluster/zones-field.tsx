import { Button, Card, CardBody } from '@patternfly/react-core';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { newZone, type ZoneNodes } from './regions.ts';
import { RegionsField } from './regions-field.tsx';

interface ZonesFieldProps {
  /** The regions in which the chosen instance size is available. */
  readonly options: readonly string[];
  readonly value: readonly ZoneNodes[];
  readonly onChange: (value: readonly ZoneNodes[]) => void;
}

/** The zones of a global cluster, each with its shards and regions. */
export function ZonesField({ options, value, onChange }: ZonesFieldProps) {
  const set = (at: number, change: Partial<ZoneNodes>) =>
    onChange(value.with(at, { ...(value[at] as ZoneNodes), ...change }));
  return (
    <>
      {value.map(({ name, shards, regions }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: new zones have no identity
        <Card key={index} isCompact>
          <CardBody>
            <TextField
              id={`zone-${index}`}
              label={`Name of zone ${index + 1}`}
              value={name}
              onChange={(changed) => set(index, { name: changed })}
              isRequired
            />
            <TextField
              id={`shards-${index}`}
              label={`Shards of zone ${index + 1}`}
              type="number"
              value={shards}
              onChange={(changed) => set(index, { shards: changed })}
            />
            <RegionsField
              zone={`zone ${index + 1}`}
              options={options}
              value={regions}
              onChange={(changed) => set(index, { regions: changed })}
            />
            {value.length > 1 && (
              <RemoveEntry name={`zone ${index + 1}`} onRemove={() => onChange(value.toSpliced(index, 1))} />
            )}
          </CardBody>
        </Card>
      ))}
      <Button variant="secondary" onClick={() => onChange([...value, newZone(value.length, options[0])])}>
        Add zone
      </Button>
    </>
  );
}
