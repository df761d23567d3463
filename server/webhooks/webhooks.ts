/**
 * What the rest of the service may ask of the webhook engine: the one part of it that others hold.
 */
export interface Webhooks {
  /** New deliveries of these endpoints have just been committed. A hint: what it misses, the sweep finds. */
  wake(endpointIds: readonly string[]): void
  /** What operators watch: a number under each name. */
  stats?(): Promise<Record<string, number>>
}
