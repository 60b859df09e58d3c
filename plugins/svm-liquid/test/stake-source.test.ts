import t from 'tap'
import type { PoolValidator } from '../src/chain/pool.ts'
import { sourceOf } from '../src/chain/stake-source.ts'
import { record } from './fixtures.ts'

const SOL = 1_000_000_000n
const STAYS = 2_282_880n + SOL
/** A token's smallest part is worth 1.22 lamports in the pool of the vectors: 2, rounded up. */
const OVERLOOKED = 2n

const validator = (vote: string, activeLamports: bigint, active = true): PoolValidator => ({ vote, seed: 0, activeLamports, active })
const without = { ...record, preferredWithdraw: null }
const preferring = { ...record, preferredWithdraw: 'preferred' }

t.test('without a preference stake is taken where there is most of it, down to what has to stay', async (t) => {
  const source = sourceOf(without, [validator('a', 5n * SOL), validator('b', 9n * SOL), validator('c', 7n * SOL)], SOL)
  t.match(source, { validator: { vote: 'b' }, most: 9n * SOL - STAYS })
})

t.test('a validator that is about to be removed gives nothing', async (t) => {
  t.match(sourceOf(without, [validator('a', 5n * SOL), validator('b', 9n * SOL, false)], SOL), { validator: { vote: 'a' } })
  t.same(sourceOf(without, [validator('b', 9n * SOL, false)], SOL), { stoppedBy: null })
})

t.test('nobody gives what has to stay', async (t) => {
  t.same(sourceOf(without, [], SOL), { stoppedBy: null })
  t.same(sourceOf(without, [validator('a', STAYS)], SOL), { stoppedBy: null })
  t.match(sourceOf(without, [validator('a', STAYS + 1n)], SOL), { most: 1n })
  t.same(sourceOf(without, [validator('a', STAYS + SOL)], 2n * SOL), { stoppedBy: null }, 'a higher minimum of the chain counts')
})

t.test('the preferred validator comes first as long as it has more than is overlooked', async (t) => {
  const others = [validator('a', 50n * SOL)]
  const least = STAYS + OVERLOOKED
  t.match(sourceOf(preferring, [...others, validator('preferred', least + 1n)], SOL), { validator: { vote: 'preferred' } })
  t.match(sourceOf(preferring, [...others, validator('preferred', least)], SOL), { validator: { vote: 'a' } })
  t.match(sourceOf(preferring, others, SOL), { validator: { vote: 'a' } }, 'one that the pool does not have is none')
})

t.test('a preferred validator that is about to be removed and has stake stops all others', async (t) => {
  t.same(sourceOf(preferring, [validator('a', 50n * SOL), validator('preferred', 9n * SOL, false)], SOL), { stoppedBy: 'preferred' })
})
