import './trusted-types.ts'
import './guest-styles.css'
import './base.css'
import './skeleton.css'
import { FaultBoundary } from './components/fault-boundary.tsx'
import { mount } from './mount.tsx'
import { GuestPage } from './pages/guest.tsx'

/*
 * What a guest opens is a document of its own: no router, no styles of other pages, nothing of what is behind sign-in.
 * They come by a link in a mail, often over a telephone's network, and mostly once.
 */

mount(
  <FaultBoundary>
    <GuestPage />
  </FaultBoundary>,
)
