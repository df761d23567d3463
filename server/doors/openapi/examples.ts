import examples from './examples.json' with { type: 'json' }

/** Answers and signals by the name of their schema, as a service gave them: test/openapi.test.ts writes them. */
export type Examples = Readonly<Record<string, unknown>>

export const recordedExamples: Examples = examples
