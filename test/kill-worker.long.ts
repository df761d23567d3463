import { test } from 'vitest'
import { killAndCompare } from './support/kill.ts'

test('25 kills while it delivers lose nothing', () => killAndCompare(25, 60))
