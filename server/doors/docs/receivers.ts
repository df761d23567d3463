import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../web/receivers')

/** The programs that are shown to be copied, each a file that tests run as it stands. */
export interface Program {
  readonly name: string
  /** In the folder; Go would take it for a package of its own without the second ending. */
  readonly file: string
  readonly run: string
}

export const RECEIVERS: readonly Program[] = [
  { name: 'TypeScript', file: 'receiver.ts', run: 'Node 22.18 or later: node receiver.ts' },
  { name: 'Python', file: 'receiver.py', run: 'Python 3.9 or later: python3 receiver.py' },
  { name: 'Go', file: 'receiver.go.txt', run: 'Go 1.21 or later: go run receiver.go' },
  { name: 'Java', file: 'Receiver.java', run: 'Java 17 or later: java Receiver.java' },
]

export const SIGNED_TEST: Program = {
  name: 'Shell',
  file: 'send.sh',
  run: 'With curl and openssl: sh send.sh http://localhost:8080',
}

export const KEY_CHECKS: readonly Program[] = [
  { name: 'Python', file: 'check_key.py', run: 'Python 3: python3 check_key.py FILE…' },
  { name: 'JavaScript', file: 'check-key.mjs', run: 'Node 22.2 or later: node check-key.mjs FILE…' },
]

export const sourceOf = ({ file }: Program): string => readFileSync(join(FOLDER, file), 'utf8').trimEnd()
