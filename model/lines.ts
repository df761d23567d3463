/**
 * The lines of a text that comes in chunks: at line feeds and nowhere else. node:readline also breaks at U+2028 and
 * U+2029, which stand in texts that people paste, and which JSON writes as they are.
 * @returns its lines, without their line feeds; an empty one behind the last is none
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = []
  for await (const chunk of chunks) {
    const [first, ...others] = chunk.split('\n')
    begun.push(first!)
    for (const line of others) {
      yield begun.join('')
      begun = [line]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}
