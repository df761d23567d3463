import { record as words } from '../../words/record.ts'

/** A person by their name; a program by what it is, too. */
export const actorName = ({ type, displayName }: { type: string; displayName: string }): string =>
  words.history.actors[type]?.(displayName) ?? displayName
