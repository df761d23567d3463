import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './client/queries.ts'
import { nonce } from './nonce.ts'
import { theme, variables } from './theme.ts'

/** Draws a document's pages in it, with what all of them draw upon. */
export function mount(pages: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>{pages}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
