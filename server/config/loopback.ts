const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

/** Whether a host is this machine, and no other can listen between. */
export const isLoopback = (host: string) => LOOPBACK.includes(host)
