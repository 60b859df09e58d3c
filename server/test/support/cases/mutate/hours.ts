import t from 'tap'
import { isOpen } from './src/hours.ts'

t.equal(isOpen(0), false)
t.equal(isOpen(8), true)
