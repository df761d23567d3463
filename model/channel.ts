/** By which door a call came; none of them, of what time alone does. */
export type Channel = 'ui' | 'rest' | 'mcp' | 'cli' | 'guest' | 'scheduler'
