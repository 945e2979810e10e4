import { Modal, ModalBody, SearchInput } from '@patternfly/react-core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Project, useList } from './api/resources.ts';
import { operatorPages, projectPages } from './navigation.ts';
import { type Entry, MIN_LETTERS, search } from './search/entries.ts';
import type { SearchPlace } from './search/place.ts';
import { useGroups } from './search/use-groups.ts';

const FIELD = 'palette-search';

interface PaletteProps {
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

/**
 * Finds pages, and what they show, by name: clusters, people, keys, snapshots and other resources. Opens their pages.
 */
export function Palette({ isOperator, onClose }: PaletteProps) {
  const [location, go] = useLocation();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [isWanted, setWanted] = useState(false);
  const { groups, place, isReading } = useGroups(location, isOperator, isWanted);
  const found = search(useEntries(isOperator), groups, text);
  const chosen = Math.min(active, found.length - 1);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    go(entry.to);
    onClose();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(found[chosen]);
    if (step === undefined) return;
    event.preventDefault();
    setActive((chosen + step + found.length) % Math.max(1, found.length));
  };
  const change = (changed: string) => {
    setText(changed);
    setActive(0);
    if (changed.trim().length >= MIN_LETTERS) setWanted(true);
  };
  return (
    <Modal
      isOpen
      variant="small"
      position="top"
      onClose={onClose}
      elementToFocus={`#${FIELD}`}
      aria-label="Go to"
    >
      <ModalBody>
        <SearchInput
          aria-label="Search by name"
          placeholder="Pages, clusters, people, keys, snapshots and more"
          value={text}
          onChange={(_event, changed) => change(changed)}
          onClear={() => change('')}
          onKeyDown={move}
          searchInputId={FIELD}
        />
        <p role="status" className={found.length === 0 ? 'gap' : 'pf-v6-screen-reader'}>
          {found.length === 0
            ? nothingText(place, isReading)
            : `${found[chosen]?.title} ${found[chosen]?.detail}`}
        </p>
        <Results found={found} chosen={chosen} onClose={onClose} />
      </ModalBody>
    </Modal>
  );
}

interface ResultsProps {
  readonly found: readonly Entry[];
  /** The index of the entry that Enter opens. */
  readonly chosen: number;
  readonly onClose: () => void;
}

function Results({ found, chosen, onClose }: ResultsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The effect must return nothing, but this call returns a promise in Chromium.
    list.current?.children.item(chosen)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <ul aria-label="Results" className="palette" ref={list}>
      {found.map(({ title, detail, to }, index) => (
        <li key={`${to} ${title} ${detail}`} className={index === chosen ? 'chosen' : ''}>
          <a href={`#${to}`} onClick={onClose}>
            {title} <small>{detail}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}

function nothingText({ organization, project }: SearchPlace, isReading: boolean): string {
  if (isReading) return 'Searching…';
  const places = [project?.name, organization?.name].filter(Boolean).join(' and ');
  return places === '' ? 'Nothing has this name.' : `No page has this name, and nothing in ${places}.`;
}

function useEntries(isOperator: boolean): readonly Entry[] {
  const { data: projects = [] } = useList('/groups');
  const { data: all = [] } = useList('/clusters');
  const { data: organizations = [] } = useList('/orgs');
  const clustersOf = new Map(all.map(({ groupId, clusters }) => [groupId, clusters]));
  const ofProject = ({ id, name }: Project): readonly Entry[] => [
    ...projectPages.map(([page, title]) => ({ title, detail: name, to: `/projects/${id}/${page}` })),
    ...(clustersOf.get(id) ?? []).flatMap((cluster) => ofCluster(id, name, cluster.name)),
  ];
  const ofOrganizations = organizations.map(({ id, name }) => ({
    title: 'Organization access',
    detail: name,
    to: `/organizations/${id}/access`,
  }));
  const ofOperator = isOperator
    ? operatorPages.map(([to, title]) => ({ title, detail: 'operator', to }))
    : [];
  return [
    { title: 'Overview', detail: '', to: '/' },
    ...projects.flatMap(ofProject),
    ...ofOrganizations,
    ...ofOperator,
  ];
}

function ofCluster(projectId: string, project: string, name: string): readonly Entry[] {
  const [base, of] = [`/projects/${projectId}`, encodeURIComponent(name)];
  const views = {
    '': `/clusters/${of}`,
    ', measurements': `/clusters/${of}/measurements`,
    ', data': `/data/${of}`,
    ', backups': `/backups/${of}`,
    ', outage simulation': `/operations/outage/${of}`,
  };
  return Object.entries(views).map(([view, to]) => ({
    title: `${name}${view}`,
    detail: project,
    to: `${base}${to}`,
  }));
}
