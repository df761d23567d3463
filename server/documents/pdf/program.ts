import { readSent } from '../sent-document.ts'
import { setDocument } from './set-document.ts'

/*
 * Sets a document: takes it on standard input (../sent-document.ts), and writes the PDF to standard output. Its argument
 * is the folder of further fonts, if there is one.
 */

const [fontsFolder = ''] = process.argv.slice(2)
setDocument(await readSent(process.stdin), fontsFolder === '' ? null : fontsFolder).pipe(process.stdout)
