/**
 * What the service asks of places that somebody else named: an organization's sign-in provider, the metadata
 * of a client, a record in the DNS. (Deliveries have a sender of their own, with the same guard beneath.)
 *
 * It is handed to operations with the other parts, so that no room has to reach into the one where the guard
 * stands, and tests can answer in the place of a name server.
 */
export interface Outbound {
  /**
   * One https request, guarded as deliveries are: the name is resolved once, no private address is dialled,
   * redirects are handed back and not followed, and there is an end to its time and size.
   * @param address of a form that `parseAddress` takes
   * @throws {NotFetched}
   */
  fetch(address: string, asked?: Asked): Promise<Response>
  /**
   * The TXT records of a name, each whole; none where there is no such name.
   * @throws {NotFetched} `unreachable` where no name server answers
   */
  textsOf(name: string): Promise<string[]>
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
  /** Bytes of the answer's body; 256 KB unless told. */
  readonly atMost?: number
  /** From the start of name resolution to the end of the body; 10 seconds unless told. */
  readonly withinMs?: number
}

/** Nothing was fetched. `message` is for operators, `why` for everybody. */
export class NotFetched extends Error {
  override name = 'NotFetched'
  readonly why: 'not_public' | 'unreachable' | 'too_slow' | 'too_large' | 'too_many'

  constructor(why: NotFetched['why'], message: string) {
    super(message)
    this.why = why
  }
}
