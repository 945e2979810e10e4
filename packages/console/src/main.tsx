import '@patternfly/react-core/dist/styles/base.css';
import './console.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError } from './api/client.ts';
import { App } from './app.tsx';
import { followColorScheme } from './color-scheme.ts';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { usePath } from './parts/use-address.ts';

/**
 * Shows the login page if the session has ended. It may have expired, the person may have ended it in another browser,
 * or the service may have been restored.
 */
function showLogin(error: Error): void {
  if (error instanceof ApiError && error.code === 'NOT_LOGGED_IN') queries.setQueryData(['session'], null);
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: showLogin }),
  mutationCache: new MutationCache({ onError: showLogin }),
  defaultOptions: {
    queries: {
      // Retry after a lost connection. An error from the service would occur again.
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
      <Router hook={usePath}>
        <ErrorBoundary name="The console">
          <App />
        </ErrorBoundary>
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
