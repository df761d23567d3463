import { text } from 'node:stream/consumers'
import { Packer } from 'docx'
import type { PaperDocument } from '../document.ts'
import { documentOf } from './document-of.ts'

/* Sets a document: takes it as JSON on standard input, and gives the DOCX on standard output. */

const sent = JSON.parse(await text(process.stdin)) as PaperDocument
process.stdout.write(await Packer.toBuffer(documentOf(sent)))
