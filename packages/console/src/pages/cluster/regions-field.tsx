import { Button, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { FieldHelp } from '../../parts/field-help.tsx';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { type RegionNodes, withoutRegion, withRegion } from './regions.ts';

interface RegionsFieldProps {
  /** The regions in which the chosen instance size is available. */
  readonly options: readonly string[];
  readonly value: readonly RegionNodes[];
  readonly onChange: (value: readonly RegionNodes[]) => void;
  /** The name of the zone, for clusters with several zones. */
  readonly zone?: string;
}

const HELP =
  '3, 5 or 7 electable nodes in all. The primary is in the first region. A cluster survives the outage of a region ' +
  'if more than half of its electable nodes are in other regions.';

/** The regions of a cluster in the order of their priority, each with the number of its electable nodes. */
export function RegionsField({ options, value, onChange, zone }: RegionsFieldProps) {
  const suffix = zone === undefined ? '' : ` of ${zone}`;
  const set = (at: number, change: Partial<RegionNodes>) =>
    onChange(value.with(at, { ...(value[at] as RegionNodes), ...change }));
  const free = options.filter((name) => !value.some(({ region }) => region === name));
  const add = () => onChange(withRegion(value, free[0] ?? ''));
  return (
    <FormGroup role="group" label={`Regions${suffix}`} fieldId="regions">
      <Table aria-label={`Regions of ${zone ?? 'the cluster'}`} variant="compact" role="table">
        <Thead>
          <Tr>
            <Th>Region</Th>
            <Th modifier="wrap">Electable nodes</Th>
            <Th modifier="fitContent">Action</Th>
          </Tr>
        </Thead>
        <Tbody>
          {value.map(({ region, electable }, index) => (
            <Tr key={region}>
              <Td dataLabel="Region">
                <FormSelect
                  aria-label={`Region ${index + 1}${suffix}`}
                  value={region}
                  onChange={(_event, name) => set(index, { region: name })}
                >
                  {[region, ...free].toSorted().map((name) => (
                    <FormSelectOption key={name} value={name} label={name} />
                  ))}
                </FormSelect>
              </Td>
              <Td dataLabel="Electable nodes">
                <TextInput
                  type="number"
                  min={0}
                  aria-label={`Electable nodes in region ${index + 1}${suffix}`}
                  value={electable}
                  onChange={(_event, nodes) => set(index, { electable: nodes })}
                />
              </Td>
              <Td dataLabel="Action">
                {value.length > 1 && (
                  <RemoveEntry
                    name={`region ${index + 1}${suffix}`}
                    onRemove={() => onChange(withoutRegion(value, index))}
                  />
                )}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      <FieldHelp problem={undefined} help={HELP} />
      <Button variant="secondary" className="gap" isDisabled={free.length === 0} onClick={add}>
        Add region{suffix}
      </Button>
    </FormGroup>
  );
}
