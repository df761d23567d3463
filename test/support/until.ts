/** Waits until something holds, asking every few milliseconds. */
export async function until<T>(
  holds: () => T | Promise<T>,
  what = 'what was waited for',
  patience = 120_000,
): Promise<Exclude<NonNullable<T>, false>> {
  const end = performance.now() + patience
  for (;;) {
    const value = await holds()
    if (value) return value as Exclude<NonNullable<T>, false>
    if (performance.now() > end) throw new Error(`${what} did not come`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
