/** What a catalog may hold. */
export const LIMITS = {
  bytes: 50 * 1024 * 1024,
  /** Of a library in YAML, which is read with the place of each word. */
  yamlBytes: 10 * 1024 * 1024,
  yamlLines: 500_000,
  requirements: 20_000,
  /** How deep requirements may stand beneath each other. */
  depth: 20,
  levels: 50,
  /** How many mappings a file may have. */
  mappings: 20_000,
  mappingNote: 2_000,
  /** Of what the kinds keep, in letters: of a key, a name, a title and a text. */
  key: 100,
  /** Of the key of a requirement, in letters. */
  requirementKey: 200,
  name: 200,
  shortName: 60,
  license: 5_000,
  aboutLevel: 2_000,
  title: 500,
  text: 20_000,
  typicalEvidence: 5_000,
  /** Of an address, such as the URN of a framework. */
  address: 200,
  /** How many faults are told; the others are counted. */
  faults: 100,
  /**
   * Of all requirements together. A short file becomes a long catalog where many requirements show the same parameter,
   * and the service holds a catalog in memory.
   */
  letters: 64_000_000,
  milliseconds: 20_000,
  /** What the process that reads may keep at a time. */
  heapMb: 400,
} as const
