import './trusted-types.ts'
import './styles.css'
import './level-colours.css'
import './skeleton.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { returnFocus } from './client/focus-return.ts'
import { queries } from './client/queries.ts'
import { watchForReconnect } from './client/reconnect.ts'
import { nonce } from './nonce.ts'
import { router } from './routes.tsx'
import { theme, variables } from './theme.ts'

watchForReconnect()
returnFocus()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
