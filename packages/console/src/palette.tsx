import { Modal, ModalBody, SearchInput } from '@patternfly/react-core';
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { type Organization, type Project, useList } from './api/resources.ts';
import { operatorPages, projectPages } from './navigation.ts';

interface Entry {
  readonly title: string;
  /** For an entry of a project, the name of the project. */
  readonly detail: string;
  readonly to: string;
}

interface ClustersOfProject {
  readonly groupId: string;
  readonly clusters: readonly { readonly name: string }[];
}

const MAX_SHOWN = 12;
const FIELD = 'palette-search';

interface PaletteProps {
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

/** Finds pages, projects and clusters by name, and opens them. */
export function Palette({ isOperator, onClose }: PaletteProps) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const found = matching(useEntries(isOperator), text);
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
  const search = (changed: string) => {
    setText(changed);
    setActive(0);
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
          aria-label="Search pages, projects and clusters"
          placeholder="Search pages, projects and clusters"
          value={text}
          onChange={(_event, changed) => search(changed)}
          onClear={() => search('')}
          onKeyDown={move}
          searchInputId={FIELD}
        />
        <p role="status" className={found.length === 0 ? 'gap' : 'pf-v6-screen-reader'}>
          {found.length === 0
            ? 'No page, project or cluster has this name.'
            : `${found[chosen]?.title} ${found[chosen]?.detail}`}
        </p>
        <ul aria-label="Results" className="palette">
          {found.map((entry, index) => (
            <li key={entry.to} className={index === chosen ? 'chosen' : ''}>
              <a href={`#${entry.to}`} onClick={onClose}>
                {entry.title} <small>{entry.detail}</small>
              </a>
            </li>
          ))}
        </ul>
      </ModalBody>
    </Modal>
  );
}

function useEntries(isOperator: boolean): readonly Entry[] {
  const { data: projects = [] } = useList<Project>('/groups');
  const { data: all = [] } = useList<ClustersOfProject>('/clusters');
  const { data: organizations = [] } = useList<Organization>('/orgs');
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

/** Returns the entries that contain all words of a text. Entries whose title begins with the text come first. */
function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ title, detail }) => {
    const name = `${title} ${detail}`.toLowerCase();
    return wanted.every((word) => name.includes(word));
  });
  const rank = ({ title }: Entry) => (title.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
  return found.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_SHOWN);
}
