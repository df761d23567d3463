import './trusted-types.ts'
import './styles.css'
import './base.css'
import './level-colours.css'
import './skeleton.css'
import { RouterProvider } from '@tanstack/react-router'
import { returnFocus } from './client/focus-return.ts'
import { watchForReconnect } from './client/reconnect.ts'
import { mount } from './mount.tsx'
import { router } from './routes.tsx'

watchForReconnect()
returnFocus()
mount(<RouterProvider router={router} />)
