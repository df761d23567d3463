/** What is said of how grave a record is, by its stages. */
export const rating = {
  title: 'Rating',
  none: 'Not rated',
  score: (score: number) => `Score ${score}`,
  pair: (across: string, down: string) => `${across} × ${down}`,
  rate: 'Rate',
  rateStage: (stage: string) => `Add ${stage.toLowerCase()} rating`,
  change: (stage: string) => `Edit ${stage.toLowerCase()} rating`,
  /** What a form says of the level before it is sent. */
  willBe: (title: string) => `${title}:`,
  unknown: (across: string, down: string) => `follows from ${across.toLowerCase()} and ${down.toLowerCase()}`,
  places: 'Where each stands in the matrix',
  place: (stage: string, place: string) => `${stage}: ${place}`,
  noPlace: 'none is rated yet',
}

/** How many categories are named one by one. */
const NAMED = 3

/** The line in a matrix up to which risks are within the appetite. */
export const appetite = {
  line: (level: string, categories?: readonly string[]) =>
    `Appetite: up to ${level.toLowerCase()}${categories ? `, for ${categories.length > NAMED ? `${categories.length} categories` : categories.join(', ')}` : ''}`,
  differs: 'The appetite differs by category: filter by one to see its line.',
}
