/** Why the embedded PostgreSQL cannot be had, as one sentence for the person who started us. */
export class EmbeddedDatabaseFault extends Error {
  override name = 'EmbeddedDatabaseFault'
}
