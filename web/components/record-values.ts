import { createContext } from 'react'
import type { Values } from '../../model/complaint.ts'

/** The values of the record that is shown or filled in, for a field that depends on another one. */
export const RecordValues = createContext<Values>({})
