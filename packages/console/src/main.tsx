import '@patternfly/react-core/dist/styles/base.css';
import './console.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError } from './api/client.ts';
import { App } from './app.tsx';
import { followColorScheme } from './color-scheme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // An error of the service does not go away by itself; a lost connection may.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 3,
      staleTime: 1000,
    },
  },
});

followColorScheme();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router hook={useHashLocation}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
