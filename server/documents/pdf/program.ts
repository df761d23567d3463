import { readSent } from '../sent-document.ts'
import { setDocument } from './set-document.ts'

/* Sets a document: takes it on standard input (../sent-document.ts), and gives the PDF on standard output. */

setDocument(await readSent(process.stdin)).pipe(process.stdout)
