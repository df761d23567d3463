import { useQuery } from '@tanstack/react-query'
import { fetchCode } from './fetch-code.ts'

/**
 * Code that nobody needs before the page stands: loaded once it does, so that it is there when the service is not.
 * What could not be had comes when the service is back.
 */
export const usePreloaded = <Room>(name: string, load: () => Promise<Room>): Room | undefined =>
  useQuery({
    queryKey: ['code', name],
    queryFn: () => fetchCode(load),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data
