/** A thing the command line can do, as its help and its parsing read it. */
export interface Command {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  /** What follows the name without a flag. */
  readonly takes?: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Further lines of its help; as a function, with what it tells of the word that it takes, or of all of them. */
  readonly notes?: string | ((word: string | undefined) => string)
  run(given: Given): Promise<Outcome>
}

export interface Flag {
  /** The name of its value in the help; null for a switch, which has none. */
  readonly value: string | null
  readonly about: string
  readonly required?: true | undefined
}

/** What a person gave: the word after the name, and the flags. */
export interface Given {
  readonly word: string
  readonly flags: Readonly<Record<string, string | undefined>>
  /** Output is for a program: nothing else may be said. */
  readonly json: boolean
}

/** What a command has to say: as an object, and in words. */
export interface Outcome {
  readonly json: object
  /** Null where everything has been written already. */
  readonly text: string | null
  /** 0 where it is absent. */
  readonly exitCode?: number
}

/** The command was not understood; answered with the usage, or what helps in its place, and exit code 2. */
export class Misused extends Error {
  override name = 'Misused'
  /** Whose usage helps, or where to look. */
  readonly help: Command | string | null

  constructor(message: string, help: Command | string | null = null) {
    super(message)
    this.help = help
  }
}

export const ORGANIZATION = {
  value: 'ORGANIZATION',
  about: 'its id, or its exact name',
  required: true,
} as const
export const AS = { value: 'EMAIL', about: 'the user who does it, with the rights of their role' } as const
