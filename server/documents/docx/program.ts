import { Packer } from 'docx'
import { readSent } from '../sent-document.ts'
import { documentOf } from './document-of.ts'

/* Sets a document: takes it on standard input (../sent-document.ts), and gives the DOCX on standard output. */

process.stdout.write(await Packer.toBuffer(documentOf(await readSent(process.stdin))))
