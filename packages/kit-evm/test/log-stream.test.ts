import t, { type Test } from 'tap'
import { type FinalMark, logStream } from '../src/index.ts'
import { contextOf, nodeOf, RpcError } from './support/node.ts'

const CONTRACT = '0x0000000000000000000000000000000000001000'
const [OWN, OTHER] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const EVENT = `0x${'e'.repeat(64)}`
/** Blocks of one range. */
const SIZE = 10n

const hashOf = (block: bigint) => `0x${block.toString(16).padStart(64, '0')}`
const hex = (number: bigint) => `0x${number.toString(16)}`

/** The stream of a contract of which an event of each of two validators is in every hundredth block. @param isAway which ranges cannot be read, by their first block */
function streamOf(t: Test, isAway: (from: bigint) => boolean = () => false) {
  const asked: bigint[] = []
  let [open, atOnce] = [0, 0]
  const logOf = (block: bigint, validator: string, index: number) => ({
    ...{ address: CONTRACT, topics: [EVENT, validator], data: '0x', removed: false },
    ...{ blockNumber: hex(block), blockHash: hashOf(block), transactionHash: hashOf(block + 1n), logIndex: hex(BigInt(index)) },
  })
  const node = nodeOf({
    eth_getBlockByNumber: ([number]: [string]) => ({ number, hash: hashOf(BigInt(number)), timestamp: '0x1', transactions: [] }),
    eth_getLogs([{ fromBlock, toBlock }]: [{ fromBlock: string; toBlock: string }]) {
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
      asked.push(from)
      if (isAway(from)) throw new RpcError(-32_000, 'try again later')
      const blocks = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index)).filter(
        (block) => block % 100n === 0n,
      )
      return blocks.flatMap((block) => [logOf(block, OTHER, 0), logOf(block, OWN, 1)])
    },
  })
  const counting = {
    async fetch(...call: Parameters<typeof fetch>) {
      const body = JSON.parse(String(call[1]?.body)) as { method: string } | { method: string }[]
      const logs = [body].flat().filter(({ method }) => method === 'eth_getLogs').length
      open += logs
      atOnce = Math.max(atOnce, open)
      await Promise.resolve()
      open -= logs
      return node.fetch(...call)
    },
  }
  const plain = contextOf({ fetch: counting.fetch as typeof fetch })
  t.teardown(() => plain.client.destroy())
  const ctx = { ...plain, network: { ...plain.network, log_blocks: Number(SIZE) }, memo: {} }
  const stream = logStream({ filter: () => ({ address: CONTRACT, events: [EVENT] }), kept: () => (log) => log.topics[1] === OWN })
  const end = (height: bigint): FinalMark => ({ height, hash: hashOf(height), time: new Date(1_000), epoch: null })
  return {
    asked,
    atOnce: () => atOnce,
    read: async (after: bigint, until: bigint) => (await stream(ctx, after, end(until)))?.map(({ block }) => block) ?? null,
  }
}

t.test('an interval of weeks is read some ranges a look, and the book waits until none is left', async (t) => {
  const { asked, atOnce, read } = streamOf(t)
  const [after, until] = [5n, 14_995n]
  for (const done of [600, 1200]) {
    const looks = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => read(after + BigInt(at % 4), until)))
    for (const look of looks)
      t.match(look, {
        status: 'rejected',
        reason: { code: 'LOGS_INCOMPLETE', statusCode: 503, message: new RegExp(`${done} of 1500 ranges`) },
      })
    t.equal(asked.length, done, 'eight books that wait have the same ranges read')
  }
  t.ok(atOnce() <= 600, `${atOnce()} ranges were asked for at once`)
  const expected = Array.from({ length: 149 }, (_, index) => BigInt(index + 1) * 100n)
  t.same(await read(after, until), expected, 'of its own validator alone, in their order')
  t.equal(new Set(asked).size, 1_500)
  t.equal(asked.length, 1_500)
})

t.test('another wallet asks for what is new alone, whenever its book was read before', async (t) => {
  const { asked, read } = streamOf(t)
  await read(95n, 5_099n)
  const before = asked.length
  t.same(
    await read(1_234n, 5_099n),
    Array.from({ length: 38 }, (_, index) => BigInt(index + 13) * 100n),
  )
  t.equal(asked.length, before, 'the last range is whole')
  t.same(await read(4_950n, 5_105n), [5_000n, 5_100n])
  t.same(asked.slice(before), [5_100n])
  t.same(await read(5_099n, 5_106n), [5_100n])
  t.same(asked.slice(before), [5_100n, 5_100n], 'a range that has not ended is read again')
})

t.test('what an endpoint could not tell is asked for again', async (t) => {
  let away = true
  const { read } = streamOf(t, (from) => away && from === 70n)
  await t.rejects(read(5n, 9_995n), { code: 'UPSTREAM_BUSY' })
  away = false
  await t.rejects(read(5n, 9_995n), { code: 'LOGS_INCOMPLETE' })
  t.same(
    await read(5n, 9_995n),
    Array.from({ length: 99 }, (_, index) => BigInt(index + 1) * 100n),
  )
})

t.test('an interval of more ranges than are kept is not read', async (t) => {
  const { asked, read } = streamOf(t)
  t.equal(await read(5n, 200_005n), null)
  t.same(asked, [])
  // 20,000 ranges: the longest that is kept.
  for (let looks = 0; looks < 33; looks++) await t.rejects(read(15n, 200_005n), { code: 'LOGS_INCOMPLETE' })
  t.equal((await read(15n, 200_005n))?.length, 2_000)
  t.equal(asked.length, 20_000)
  await read(200_005n, 200_109n)
  const before = asked.length
  await read(15n, 200_005n)
  t.same(
    asked.slice(before),
    Array.from({ length: 10 }, (_, range) => BigInt(range + 1) * 10n),
    'where more are read the oldest are forgotten',
  )
})
