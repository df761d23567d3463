/** One setting is wrong; the message names it, says why, and what would be right. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}
