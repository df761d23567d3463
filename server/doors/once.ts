/** What is made when it is first asked for, and made again where that failed. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () => {
    making ??= make().catch((error) => {
      making = undefined
      throw error
    })
    return making
  }
}
