/** What a call answers, for tests that look into answers of every form. */
// biome-ignore lint/suspicious/noExplicitAny: its form is its operation's
export const bodyOf = async (answer: Promise<{ body: unknown }>): Promise<any> => (await answer).body
