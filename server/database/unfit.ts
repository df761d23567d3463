/** The database is not one that this program can use; the message says what to do. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit'
}
