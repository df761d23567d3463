import { lazy } from 'react'
import { fetchCode } from '../../../client/fetch-code.ts'

/* The same, as they are drawn once they are there. */

const parts = () => fetchCode(() => import('./parts.tsx'))

export const AcceptanceCard = lazy(() => parts().then((all) => ({ default: all.AcceptanceCard })))
export const AcceptanceNotices = lazy(() => parts().then((all) => ({ default: all.AcceptanceNotices })))
export const OwnRating = lazy(() => parts().then((all) => ({ default: all.OwnRating })))
