import { Button, Form, Gallery } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { operatorRequest } from '../../api/requests.ts';
import { useChange, useOperatorDocument } from '../../api/resources.ts';
import { Moment } from '../../parts/date.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextField } from '../../parts/text-field.tsx';

const SECOND_MS = 1000;
const steps = [
  ['an hour', 3600],
  ['a day', 86_400],
  ['a week', 604_800],
] as const;

/** Service time: dates, schedules and expiry follow it. */
export function ServiceClock() {
  const { data, error } = useOperatorDocument('/clock', SECOND_MS);
  const change = useChange();
  const set = (body: object) => change.mutate(operatorRequest('PATCH', '/clock', body));
  return (
    <>
      <p>
        Dates in responses, schedules, expiry and retention follow service time. Service time never goes back.
      </p>
      <Problem error={error ?? change.error} />
      {data && (
        <Facts
          facts={[
            ['Service time', <Moment key="now" at={data.now} />],
            ['State', data.frozen ? 'frozen' : 'running'],
            ['Rate', `${data.rate} s per second`],
          ]}
        />
      )}
      <div className="gap buttons">
        <Button variant="secondary" className="beside" onClick={() => set({ frozen: data?.frozen !== true })}>
          {data?.frozen ? 'Resume' : 'Freeze'}
        </Button>
        {steps.map(([name, advanceSeconds]) => (
          <Button key={name} variant="secondary" className="beside" onClick={() => set({ advanceSeconds })}>
            Advance by {name}
          </Button>
        ))}
      </div>
      <Numbers set={set} />
    </>
  );
}

function Numbers({ set }: { readonly set: (body: object) => void }) {
  const [seconds, setSeconds] = useState('');
  const [rate, setRate] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set({ ...(seconds && { advanceSeconds: Number(seconds) }), ...(rate && { rate: Number(rate) }) });
  };
  return (
    <Form onSubmit={submit} isWidthLimited>
      <Gallery hasGutter>
        <TextField id="seconds" label="Advance by seconds" value={seconds} onChange={setSeconds} />
        <TextField id="rate" label="Seconds of service time per second" value={rate} onChange={setRate} />
      </Gallery>
      <div>
        <Button type="submit" variant="secondary" isDisabled={seconds === '' && rate === ''}>
          Change
        </Button>
      </div>
    </Form>
  );
}
