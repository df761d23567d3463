/* What pages of records show of acceptances: one file, which the few that show any load behind what they begin with. */

export { AcceptanceCard } from './card.tsx'
export { AcceptanceNotices } from './notices.tsx'
export { OwnRating } from './own-rating.tsx'
