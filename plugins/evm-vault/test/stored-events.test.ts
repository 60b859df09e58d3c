import t from 'tap'
import { restoreEvents, storeEvents } from '../src/events/stored-events.ts'

type Context = Parameters<typeof storeEvents>[0]
type Index = Parameters<typeof storeEvents>[1]

/** A reading of a vault whose queue somebody has filled, one exit after the other. */
function indexOf(exits: number): Index {
  const receiver = `0x${'ab'.repeat(20)}`
  const requests = Array.from({ length: exits }, (_, at) => ({
    ...{ kind: 'request', receiver, ticket: 10n ** 18n + BigInt(at), first: 10n ** 18n + BigInt(at), tickets: 1n },
    ...{ fixedAssets: null, block: 20_000_000 + at, timestamp: 1_780_000_000 + at },
  }))
  return { nextBlock: 30_000_000, storedNextBlock: 0, storedAt: 0, startedAt: 0, storing: null, events: requests } as unknown as Index
}

/** What is put into the store, and said in the log. */
async function stored(exits: number) {
  const [kept, said]: [string[], string[]] = [[], []]
  const ctx = {
    network: { chainId: '1' },
    store: { put: async (key: string) => void kept.push(key) },
    log: { warn: (_: object, text: string) => void said.push(text) },
  } as unknown as Context
  await storeEvents(ctx, indexOf(exits), true)
  return { kept, said }
}

t.test('more open exits than are kept are told in the log, since every start reads them anew', async (t) => {
  const { kept, said } = await stored(40_000)
  t.same(kept, [])
  t.match(said, [/more open exits than are kept/])
  t.equal(said.length, 1)
  t.notMatch((await stored(10_000)).said, [/more open exits than are kept/], 'fewer are kept')
})

t.test(
  'an exit that was claimed in part comes back with the ticket of its request, and a checkpoint as of the last block that was read',
  async (t) => {
    const kept = new Map<string, unknown>()
    const hash = `0x${'ab'.repeat(32)}`
    const ctx = {
      network: { chainId: '1' },
      now: () => new Date(0),
      store: { get: async (key: string) => kept.get(key), put: async (key: string, value: unknown) => void kept.set(key, value) },
      client: {
        ask: async (_method: string, [number]: readonly string[], read: (answer: unknown) => unknown) =>
          read({ number, timestamp: '0x1', hash }),
      },
    } as unknown as Context
    const [request] = indexOf(1).events
    const events = [
      { kind: 'checkpoint', burned: 5n, assets: 6n, block: 20_000_001 },
      request,
      { ...request, ticket: 7n, first: 3n },
    ] as Index['events']
    await storeEvents(ctx, { ...indexOf(0), events }, true)
    const index = { ...indexOf(0), nextBlock: 0, events: [] }
    await restoreEvents(ctx, index, 30_000_000)
    t.same(index.events, [{ ...events[0], block: 29_999_999 }, request, { ...request, ticket: 7n, first: 3n }])
  },
)
