/** Where what somebody wrote and did not save is kept in this browser (kept-text.ts). */
export const ofPerson = (id: string): string => `plumbline text ${id} `

/** Who signs out leaves none of it behind. */
export function forgetTextsOf(person: string): void {
  for (const place of Object.keys(localStorage))
    if (place.startsWith(ofPerson(person))) localStorage.removeItem(place)
}
