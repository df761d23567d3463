import { useLocalStorage } from '@mantine/hooks'

/** The jobs of exports that were asked for in this browser and are not put away: told of on every page. */
export const useExports = () =>
  useLocalStorage<readonly string[]>({
    key: 'plumbline exports',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
