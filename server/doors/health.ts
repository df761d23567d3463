import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Parts } from '../operation.ts'

const ANSWER_WITHIN = 1_000

/** Whether this process takes part; set when it begins to stop. */
export interface Readiness {
  draining: boolean
}

/**
 * `/healthz` says that the process lives, whatever the database does: who restarts by it must not restart
 * for what a restart does not mend. `/readyz` says whether to send requests here.
 */
export function addHealthRoutes(app: FastifyInstance, { database }: Parts, readiness: Readiness): void {
  app.get('/healthz', async () => 'ok\n')
  app.get('/readyz', async (_request, reply) => {
    const answered = readiness.draining
      ? false
      : await Promise.race([
          database.gate.query('select 1').then(
            () => true,
            () => false,
          ),
          sleep(ANSWER_WITHIN, false, { ref: false }),
        ])
    if (!answered) reply.code(503).header('retry-after', '2')
    return answered ? 'ready\n' : readiness.draining ? 'stopping\n' : 'the database does not answer\n'
  })
}
