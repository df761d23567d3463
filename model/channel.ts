/** By which door a call came. */
export type Channel = 'ui' | 'rest' | 'mcp' | 'cli'
