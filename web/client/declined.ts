/** The person would rather not say who they are: what they wanted is not done, and that is no failure. */
export class Declined extends Error {
  override name = 'Declined'
}
