/** The values of a record, by field. */
export type Values = Readonly<Record<string, unknown>>

/** Why a kind does not take a change: a field at fault, a status that cannot be reached from here, or how things stand. */
export type Complaint =
  | { readonly path: string; readonly message: string }
  /** A sentence that says what stands in the way, and the way out; and what of the input meets it. */
  | { readonly conflict: string; readonly of?: string; readonly holder?: Holder }
  | {
      readonly transition: {
        readonly path: string
        readonly from: string
        readonly to: string
        readonly allowed: readonly string[]
        /** What leads there instead. */
        readonly way?: string
      }
    }

/** The record that has, or does, what only one can. */
interface Holder {
  readonly id: string
  readonly reference: string
}
