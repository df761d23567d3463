/** What of the library is used: it comes without types. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string)
    /** The next place where a line may end, before the character at `position`. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }

  // biome-ignore lint/style/noDefaultExport: the library has no other.
  export { LineBreaker as default }
}
