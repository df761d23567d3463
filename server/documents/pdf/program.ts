import { text } from 'node:stream/consumers'
import type { PaperDocument } from '../document.ts'
import { setDocument } from './set-document.ts'

/* Sets a document: takes it as JSON on standard input, and gives the PDF on standard output. */

const sent = JSON.parse(await text(process.stdin)) as PaperDocument
setDocument({ ...sent, madeAt: new Date(sent.madeAt) }).pipe(process.stdout)
